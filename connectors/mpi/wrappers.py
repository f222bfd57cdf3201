#!/usr/bin/env python3
"""Makes the wrappers of MPI's C functions from the mpi.h of an installed MPI.

usage: wrappers.py OUTPUT CC [FLAGS...]

OUTPUT is either a .c file with the wrappers and their table, or a .h file. The .h file includes mpi.h and makes each
symbol of the library weak, so that the connector can be loaded into a process without MPI. PMPI_X(...) finds a late
library (weak.h).

The preprocessed header is the only source of names and parameters. For a function that the tables below do not name,
only a region is recorded. Functions of LOCAL get no wrapper: they read or build objects of their process, and some
programs call them very often.
"""
import re
import subprocess
import sys

PROTOTYPE = re.compile(r"\bint\s+(P?MPI_\w+)\s*\(([^;{}]*?)\)\s*(?:__attribute__\s*\(\(.*?\)\)\s*)*;", re.S)
DATA = re.compile(r"extern\s+[^;()]*?\b(\w+)\s*(?:\[\s*\])?;")

# Functions without a wrapper, as regular expressions for what follows "MPI_".
LOCAL = [
    r"Pcontrol", r"Wtime", r"Wtick", r"DUP_FN",
    r".*_(f2c|c2f|f082c|c2f08|f2f08|f082f)",
    r"T_.*", r"Type_.*", r"Pack.*", r"Unpack.*", r"Get_(address|count|elements.*|processor_name|version|library_version|hw_resource_info)",
    r"Address", r"Aint_.*", r"Info_.*", r"Group_(?!x$).*", r"Op_.*", r"Status_.*", r"Register_datarep.*",
    r"(Comm|Win|File|Session)_(rank|size|remote_size|remote_group|group|get_.*|set_.*|test_inter|compare|is_.*|create_keyval|free_keyval|"
    r"create_errhandler|call_errhandler|delete_attr|f2c|c2f)",
    r"Errhandler_.*", r"Error_.*", r"Add_error_.*", r"Remove_error_.*", r"Keyval_.*", r"Attr_.*", r"Test_cancelled", r"Initialized", r"Finalized",
    r"Is_thread_main", r"Query_thread", r"Buffer_(?!detach).*", r"Cart_(?!create|sub).*", r"Cartdim_.*", r"Dims_create", r"Graph_(?!create).*",
    r"Graphdims_.*", r"Dist_graph_(?!create).*", r"Topo_test", r"Compute_dims", r"Alloc_mem", r"Free_mem", r"Lookup_name", r"Publish_name",
    r"Unpublish_name", r"Open_port", r"Close_port", r"Grequest_.*", r"Sizeof", r"NULL_.*", r"CONVERSION_.*", r".*_NULL_.*FN",
    r"Reduce_local", r"Session_call_errhandler", r"Request_get_status", r"Parrived", r"Pready.*",
]

# Functions that make a communicator, which is their last argument.
CREATES = ["Comm_dup", "Comm_dup_with_info", "Comm_create", "Comm_create_group", "Comm_split", "Comm_split_type", "Cart_create", "Cart_sub",
           "Intercomm_merge", "Intercomm_create", "Graph_create", "Dist_graph_create", "Dist_graph_create_adjacent"]

# The functions of these that are collective operations on their first argument.
CREATES_FROM_FIRST = ["Comm_dup", "Comm_dup_with_info", "Comm_create", "Comm_split", "Comm_split_type", "Cart_create", "Cart_sub",
                      "Graph_create", "Dist_graph_create", "Dist_graph_create_adjacent"]

# Functions that make a window, which is their last argument, from a communicator.
CREATES_WINDOW = ["Win_create", "Win_allocate", "Win_allocate_shared", "Win_create_dynamic"]

POINT = r"(B|R|S)?[Ss]end(_init)?|Ib?r?s?send|I(b|r|s)send|Recv(_init)?|I?[Mm]?recv|Mrecv|Imrecv|Sendrecv.*|Isendrecv.*|Start(all)?|P(send|recv)_init"
KINDS = [
    ("OTTER_CONSTRUCT_MPI_POINT", POINT),
    ("OTTER_CONSTRUCT_MPI_WAIT", r"Wait.*|Probe|Mprobe"),
    ("OTTER_CONSTRUCT_MPI_TEST", r"Test.*|Iprobe|Improbe|Request_get_status"),
    ("OTTER_CONSTRUCT_MPI_ONE_SIDED", r"(R?(Put|Get|Accumulate|Get_accumulate)|Fetch_and_op|Compare_and_swap|Win_.*)"),
    ("OTTER_CONSTRUCT_MPI_FILE", r"File_.*"),
    ("OTTER_CONSTRUCT_MPI_COLLECTIVE",
     r"I?(Barrier|Bcast|Gatherv?|Scatterv?|Allgatherv?|Alltoall[vw]?|Allreduce|Reduce|Reduce_scatter|Reduce_scatter_block|Scan|Exscan|"
     r"Neighbor_.*|neighbor_.*|barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|allreduce|reduce|reduce_scatter|"
     r"reduce_scatter_block|scan|exscan)(_init)?"),
]

# operation: (root parameter or None, bytes sent, bytes received). `all` is the number of members; S and R are the bytes of
# one block of
# the send and of the receive buffer, with MPI_IN_PLACE for the send buffer.
S = "(sendbuf == MPI_IN_PLACE ? 0 : collective_bytes(sendcount, sendtype))"
SV = "(sendbuf == MPI_IN_PLACE ? 0 : collective_bytes(COLLECTIVE_SUM(sendcounts, all), sendtype))"
R = "collective_bytes(recvcount, recvtype)"
RV = "collective_bytes(COLLECTIVE_SUM(recvcounts, all), recvtype)"
B = "collective_bytes(count, datatype)"
COLLECTIVES = {
    "Barrier": (None, "0", "0"),
    "Bcast": ("root", f"is_root ? {B} : 0", f"is_root ? 0 : {B}"),
    "Gather": ("root", S, f"is_root ? {R} * all : 0"),
    "Gatherv": ("root", S, f"is_root ? {RV} : 0"),
    "Scatter": ("root", "is_root ? collective_bytes(sendcount, sendtype) * all : 0", f"recvbuf == MPI_IN_PLACE ? 0 : {R}"),
    "Scatterv": ("root", "is_root ? collective_bytes(COLLECTIVE_SUM(sendcounts, all), sendtype) : 0", f"recvbuf == MPI_IN_PLACE ? 0 : {R}"),
    "Allgather": (None, S, f"{R} * all"),
    "Allgatherv": (None, S, RV),
    "Alltoall": (None, f"{S} * all", f"{R} * all"),
    "Alltoallv": (None, SV, RV),
    "Alltoallw": (None, "(sendbuf == MPI_IN_PLACE ? 0 : COLLECTIVE_SUM_OF_TYPES(sendcounts, sendtypes, all))",
                  "COLLECTIVE_SUM_OF_TYPES(recvcounts, recvtypes, all)"),
    "Allreduce": (None, B, B),
    "Reduce": ("root", B, f"is_root ? {B} : 0"),
    "Reduce_scatter": (None, "collective_bytes(COLLECTIVE_SUM(recvcounts, all), datatype)", "collective_bytes(recvcounts[rank], datatype)"),
    "Reduce_scatter_block": (None, "collective_bytes(recvcount, datatype) * all", "collective_bytes(recvcount, datatype)"),
    "Scan": (None, B, B),
    "Exscan": (None, B, B),
}

OWN_STATUS = "MPI_Status own_status;\nstatus = status == MPI_STATUS_IGNORE ? &own_status : status;"


class Hook:
    """What a wrapper does in a recorded call: declarations and statements before MPI's function, and after its success."""

    def __init__(self, before="", after="", always=""):
        self.before, self.after, self.always = before, after, always


class Followed(Hook):
    """The same, but for every call by the program, recorded or not."""


def single_list(name, after):
    return Hook(f"struct message_list list;\narray_of_statuses = message_list_begin(&list, {name}, array_of_requests, array_of_statuses);",
                after, "message_list_end(&list);")


def any_list(after):
    return Hook("struct message_list list;\nmessage_list_begin(&list, count, array_of_requests, MPI_STATUSES_IGNORE);\n" + OWN_STATUS, after,
                "message_list_end(&list);")


def send(kind):
    return {
        "blocking": Hook("message_send(comm, dest, tag, count, datatype);"),
        "begin": Hook("uint64_t number = message_begin_send(comm, dest, tag, count, datatype);", "message_end_send(number, *request);"),
        "init": Hook("", "message_init_send(comm, dest, tag, count, datatype, *request);"),
    }[kind]


HOOKS = {
    "Recv": Hook(OWN_STATUS, "message_received(comm, status);"),
    "Irecv": Hook("uint64_t number = message_begin_recv(comm, source);", "message_end_recv(number, comm, *request);"),
    "Recv_init": Hook("", "message_init_recv(comm, source, *request);"),
    "Sendrecv": Hook("message_send(comm, dest, sendtag, sendcount, sendtype);\n" + OWN_STATUS, "message_received(comm, status);"),
    "Sendrecv_replace": Hook("message_send(comm, dest, sendtag, count, datatype);\n" + OWN_STATUS, "message_received(comm, status);"),
    "Mprobe": Hook("", "message_matched(*message, comm);"),
    "Improbe": Hook("", "if (*flag) {\n    message_matched(*message, comm);\n}"),
    "Mrecv": Hook("MPI_Comm comm = message_comm(*message);\n" + OWN_STATUS, "message_received(comm, status);"),
    "Imrecv": Hook("MPI_Comm comm = message_comm(*message);\nuint64_t number = message_begin_recv(comm, 0);",
                   "message_end_recv(number, comm, *request);"),
    "Start": Hook("message_start(1, request);"),
    "Startall": Hook("message_start(count, array_of_requests);"),
    "Wait": Hook("MPI_Request handle = *request;\n" + OWN_STATUS, "message_complete(handle, status);"),
    "Test": Hook("MPI_Request handle = *request;\n" + OWN_STATUS, "if (*flag) {\n    message_complete(handle, status);\n}"),
    "Waitall": single_list("count", "message_complete_all(&list);"),
    "Testall": single_list("count", "if (*flag) {\n    message_complete_all(&list);\n}"),
    "Waitsome": single_list("incount", "message_complete_some(&list, *outcount, array_of_indices);"),
    "Testsome": single_list("incount", "message_complete_some(&list, *outcount, array_of_indices);"),
    "Waitany": any_list("message_complete_any(&list, *indx, status);"),
    "Testany": any_list("if (*flag) {\n    message_complete_any(&list, *indx, status);\n}"),
    "Cancel": Hook("request_cancel(*request);"),
    "Request_free": Hook("request_free(*request);"),
    "Comm_free": Followed("communicator_remove(*comm);"),
    "Comm_disconnect": Followed("communicator_remove(*comm);"),
    "Init": Followed("", "lifecycle_begin();"),
    "Init_thread": Followed("", "lifecycle_begin();"),
    "Finalize": Followed("lifecycle_finish();"),
}
for _name in ("Send", "Bsend", "Rsend", "Ssend"):
    HOOKS[_name] = send("blocking")
    HOOKS["I" + _name.lower()] = send("begin")
    HOOKS[_name + "_init"] = send("init")

# Statements outside of the region.
AROUND = {"Init": ("lifecycle_attach();", ""), "Init_thread": ("lifecycle_attach();", ""), "Finalize": ("", "lifecycle_detach();")}


def collective_hook(name):
    """The hook of a collective operation, blocking or not, or None."""
    blocks = name in COLLECTIVES
    plain = name if blocks else name[1:].capitalize() if name[:1] == "I" else None
    if plain not in COLLECTIVES:
        return None
    root, sent, received = COLLECTIVES[plain]
    names = "".join(f"uint32_t {word} = collective.{field};\n" for word, field in (("all", "size"), ("rank", "rank")) if
                    re.search(rf"\b{word}\b", f"{sent} {received}"))
    names += "const bool is_root = collective.is_root;\n" if "is_root" in f"{sent} {received}" else ""
    before = (f"struct collective collective =\n    collective_begin(OTTER_COLLECTIVE_{plain.upper()}, comm, {root or -1}, "
              f"{'true' if blocks else 'false'});\n{names}if (collective.operation.communicator) {{\n"
              f"    collective.operation.sent = {sent};\n    collective.operation.received = {received};\n}}")
    return Hook(before, "collective_end(&collective);" if blocks else "collective_start(&collective, *request);")


class Function:
    def __init__(self, name, parameters):
        self.name = name  # without MPI_
        self.parameters = [re.sub(r"\s+", " ", p).strip() for p in split(parameters)]
        self.parameters = [] if self.parameters == ["void"] else self.parameters
        self.arguments = [argument(p) for p in self.parameters]

    @property
    def plain(self):
        """The name of the function, without the _c of variants for large counts."""
        return self.name[:-2] if self.name.endswith("_c") else self.name

    @property
    def kind(self):
        return next((kind for kind, pattern in KINDS if re.fullmatch(pattern, self.plain)), "OTTER_CONSTRUCT_MPI")

    @property
    def hook(self):
        if self.plain in CREATES_FROM_FIRST:
            return Followed(handle_begin("CREATE", "", self.arguments[0]), f"collective_end(&collective);\ncommunicator_add(*{self.arguments[-1]});")
        if self.plain in CREATES:
            return Followed("", f"communicator_add(*{self.arguments[-1]});")
        if self.plain in CREATES_WINDOW:
            win = self.arguments[-1]
            comm = next(name for name, text in zip(self.arguments, self.parameters) if text.startswith("MPI_Comm "))
            return Followed(handle_begin("CREATE", "", comm), f"collective_end(&collective);\nwindow_add(*{win}, {comm});")
        if self.plain == "Win_free":
            win = self.arguments[0]
            return Followed(handle_begin("DESTROY", "_on", f"window_communicator(*{win})") + f"\nwindow_remove(*{win});",
                            "collective_end(&collective);")
        if self.plain == "Win_fence":
            return Hook(f"struct collective collective = collective_begin_on(\n    OTTER_COLLECTIVE_BARRIER, "
                        f"window_communicator({self.arguments[-1]}), -1, true);", "collective_end(&collective);")
        return HOOKS.get(self.plain) or collective_hook(self.plain) or Hook()


def handle_begin(operation, on, of):
    return f"struct collective collective = collective_begin{on}(\n    OTTER_COLLECTIVE_{operation}_HANDLE, {of}, -1, true);"


def split(text):
    """Splits parameters at commas outside parentheses."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    return parts + [part]


def argument(parameter):
    match = re.search(r"(\w+)\s*((\[[^\]]*\]\s*)*)$", parameter)
    return match.group(1)


def preprocess(command):
    result = subprocess.run([*command, "-E", "-P", "-"], input="#include <mpi.h>\n", capture_output=True, text=True, check=True)
    return result.stdout


def read(text):
    """The functions to wrap, and all names of functions and data."""
    found = dict(PROTOTYPE.findall(text))
    functions = []
    for name, parameters in sorted(found.items()):
        rest = name[len("MPI_"):]
        if name.startswith("MPI_") and "P" + name in found and "..." not in parameters and not any(re.fullmatch(p, rest) for p in LOCAL):
            functions.append(Function(rest, parameters))
    return functions, sorted(set(found) | set(DATA.findall(text)))


# The standard's names where a header uses others.
OTHER_NAMES = {"index": "indx", "array_of_indexes": "array_of_indices"}


def rename(function):
    """Renames the parameters that hooks use as in the standard."""
    for i, name in enumerate(function.arguments):
        other = OTHER_NAMES.get(name)
        if other:
            function.parameters[i] = re.sub(rf"\b{name}\b", other, function.parameters[i])
            function.arguments[i] = other


def indent(text, n):
    return "".join(" " * n + line + "\n" if line else "\n" for line in text.split("\n")) if text else ""


def wrapper(function):
    hook = function.hook
    before, after = AROUND.get(function.name, ("", ""))
    arguments = ", ".join(function.arguments)
    declaration = f"__attribute__((visibility(\"default\"))) int MPI_{function.name}({', '.join(function.parameters) or 'void'})\n{{\n"
    begin = f"    uint64_t call = call_begin({function.kind}, \"MPI_{function.name}\");\n"
    plain = f"PMPI_{function.name}({arguments})"
    if not (hook.before or hook.after or hook.always):
        body = f"{begin}    int result = {plain};\n    call_end(call);\n"
    else:
        checked = f"if (result == MPI_SUCCESS) {{\n{indent(hook.after, 4)}}}" if hook.after else ""
        when = "call_is_outermost()" if isinstance(hook, Followed) else "call"
        body = (f"{begin}    int result;\n    if ({when}) {{\n{indent(hook.before, 8)}        result = {plain};\n{indent(checked, 8)}"
                f"{indent(hook.always, 8)}    }} else {{\n        result = {plain};\n    }}\n    call_end(call);\n")
    return declaration + indent(before, 4) + body + indent(after, 4) + "    return result;\n}\n"


def write_c(functions):
    lines = ["// Made by connectors/mpi/wrappers.py from mpi.h.\n", '#include <stdbool.h>\n#include <stddef.h>\n\n#include "call.h"\n#include "collective.h"\n'
             '#include "communicator.h"\n#include "lifecycle.h"\n#include "message.h"\n#include "request.h"\n#include "window.h"\n#include "wrapper_table.h"\n\n']
    for function in functions:
        rename(function)
        lines.append(wrapper(function) + "\n")
    lines.append("const struct wrapper wrapper_table[] = {\n")
    lines += [f'    {{"PMPI_{f.name}", (uintptr_t)MPI_{f.name}}},\n' for f in functions]
    lines.append("    {NULL, 0},\n};\n")
    return "".join(lines)


def write_header(names):
    lines = ["// Made by connectors/mpi/wrappers.py: mpi.h with weak symbols.\n#pragma once\n\n#include <mpi.h>\n\n"]
    lines += [f"#pragma weak {name}\n" for name in names if not name.startswith("MPI_")]
    lines += [f"#define {name}(...) LATE_FUNCTION({name})(__VA_ARGS__)\n" for name in names if name.startswith("PMPI_")]
    return "".join(lines)


def main():
    output, *command = sys.argv[1:]
    functions, names = read(preprocess([*command, "-x", "c"]))
    if not any(f.name == "Send" for f in functions):
        sys.exit("wrappers.py: mpi.h declares no MPI_Send")
    with open(output, "w", encoding="utf-8") as out:
        out.write(write_c(functions) if output.endswith(".c") else write_header(names))


if __name__ == "__main__":
    main()
