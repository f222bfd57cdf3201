"""Shared code of the tests of recipes: the options of the build, the project's version, and runs of recipes."""
import re
import types

OPTION = re.compile(r"^option\('(\w+)', type: '(\w+)'(?:, choices: \[([^]]*)\])?", re.M)
VALUES = {"feature": {"auto", "enabled", "disabled"}, "boolean": {"true", "false"}}


def options_of(root):
    """Returns the build's options: name -> its values, or None if any text is allowed."""
    text = (root / "meson_options.txt").read_text()
    return {name: VALUES.get(kind) or (set(re.findall(r"'([^']*)'", choices)) or None) for name, kind, choices in OPTION.findall(text)}


def version_of(root):
    return re.search(r"^  version: '([^']*)'", (root / "meson.build").read_text(), re.M)[1]


def wrong_options(arguments, options):
    """Returns complaints about arguments of `meson setup` that are not -Doption=value of this build."""
    complaints = []
    for argument in arguments:
        match = re.fullmatch(r"-D(\w+)=(.*)", argument)
        if not match:
            complaints.append(f"'{argument}' is not -Doption=value")
        elif match[1] not in options:
            complaints.append(f"meson_options.txt has no option '{match[1]}'")
        elif options[match[1]] and match[2] not in options[match[1]]:
            complaints.append(f"'{match[2]}' is not a value of the option '{match[1]}'")
    return complaints


class SpackRecipe:
    """The recipe for Spack, run with stand-ins for Spack's directives."""

    def __init__(self, path):
        self.versions, self.variants, self.conditions, self.needs = {}, {}, [], []
        names = {"version": lambda name, **more: self.versions.update({name: more}),
                 "variant": lambda name, default, description: self.variants.update({name: default}),
                 "depends_on": self.depend, "license": lambda *name, **more: None, "requires": lambda *conditions, **more: None,
                 "MesonPackage": object,
                 "run_after": lambda phase: lambda function: function,
                 "on_package_attributes": lambda **more: lambda function: function}
        text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("from spack"))
        text = re.sub(r"^    from spack_repo.*", "    pass", text, flags=re.M)
        names["__file__"] = str(path)
        exec(compile(text, str(path), "exec"), names)
        self.package = names["Otter"]

    def depend(self, need, when=None, type=None):
        self.needs.append(need)
        self.conditions += [when] if when else []

    def arguments(self, chosen):
        """Returns the arguments of `meson setup` for a set of chosen variants."""
        package = self.package()
        prefix = types.SimpleNamespace(prefix=types.SimpleNamespace(include="/llvm/include"))
        package.spec = type("Spec", (dict,), {"satisfies": lambda self, text: text[1:] in chosen})({"llvm-openmp": prefix})
        return package.meson_args()


def easyconfig_of(path):
    """Returns the values that an easyconfig defines."""
    values = {"SYSTEM": {"name": "system"}, "SOURCELOWER_TAR_XZ": "%(namelower)s-%(version)s.tar.xz"}
    exec(compile(path.read_text(), str(path), "exec"), values)
    return values
