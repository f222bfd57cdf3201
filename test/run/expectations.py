"""The words of the `expect` lines at the head of a program."""

import collections
import re


class Facts:
    def __init__(self, archive, stdout):
        self.archive = archive
        self.history = archive.history
        self.stdout = stdout
        self.events = [event for location in archive.locations for event in location.events]

    def n(self, kind):
        return sum(event.kind == kind for event in self.events)

    @staticmethod
    def _is(region, name, description):
        """`name` is the canonical name, with or without its `!$omp `. `description` must match exactly; None matches
        any."""
        return (region.canonical in (name, '!$omp ' + name)
                and (description is None or region.description == description))

    def enters(self, name, description=None):
        return sum(event.kind == 'Enter' and self._is(event.region, name, description) for event in self.events)

    def regions(self, name, description=None):
        """Returns the number of different regions with this name that were entered."""
        return len({event.region.id for event in self.events
                    if event.kind == 'Enter' and self._is(event.region, name, description)})

    def by_place(self, name):
        """Returns how often regions with this name were entered at each place, with any description; the rarest first.
        """
        return sorted(collections.Counter(event.region.name for event in self.events
                                          if event.kind == 'Enter' and self._is(event.region, name, None)).values())

    def param(self, name):
        return sum(event.kind == 'Parameter' and event.name == name for event in self.events)

    def values(self, name, after=None):
        """Returns the values of a parameter, in any order; with `after`, only values after the Enter of such a region.
        """
        found = []
        for location in self.archive.locations:
            owner = None
            for event in location.events:
                if event.kind != 'Parameter':
                    owner = event
                elif event.name == name and (after is None or (
                        owner is not None and owner.kind == 'Enter' and self._is(owner.region, after, None))):
                    found.append(event.value)
        return found

    def flags(self, word):
        """Returns the number of executed tasks with this word in their description."""
        return sum(word in re.split(', ', task.flags) for task in self.history.tasks.values())

    def migrations(self):
        return sum(len({location for location, _, _ in task.segments}) > 1 for task in self.history.tasks.values())

    def out(self, key):
        """Returns the number after a word at the start of a line of the program's output."""
        match = re.search(rf'^{key} (-?\d+)$', self.stdout, re.MULTILINE)
        if not match:
            raise LookupError(f'no line "{key} <number>" on stdout')
        return int(match.group(1))

    def module(self, text):
        return any(text in value for name, value in self.archive.properties.items() if name.startswith('OTTER::MODULE::'))


def splitters(n_chunks, n_threads):
    """Returns the number of tasks by which libomp creates the chunks of a taskloop, halving it each time
    (kmp_tasking.cpp, __kmp_taskloop_recur)."""
    limit = min(10 * n_threads, 256)

    def halve(n):
        return 0 if n <= limit else 1 + halve(n // 2) + halve(n - n // 2)
    return halve(n_chunks)


def names(archive, stdout, given):
    facts = Facts(archive, stdout)
    tasks = archive.history.tasks.values()
    return {
        **given,
        'len': len, 'sum': sum, 'min': min, 'max': max, 'set': set, 'sorted': sorted, 'range': range,
        'tasks': facts.n('TaskCreate'),
        'completed': facts.n('TaskComplete'),
        'ran': sum(task.began is not None for task in tasks),
        'never_ran': sum(task.never_ran for task in tasks),
        'cancelled': sum(task.cancelled for task in tasks),
        'forks': facts.n('Fork'),
        'joins': facts.n('Join'),
        'team_begins': facts.n('TeamBegin'),
        'acquires': facts.n('AcquireLock'),
        'locks': len({event.lock for event in facts.events if event.kind == 'AcquireLock'}),
        'locations': len(archive.locations),
        'migrations': facts.migrations(),
        'unknown_threads': sum(location.properties.get('OTTER::THREAD_KIND') == 'unknown'
                               for location in archive.locations),
        'enters': facts.enters,
        'regions': facts.regions,
        'by_place': facts.by_place,
        'param': facts.param,
        'values': facts.values,
        'flags': facts.flags,
        'out': facts.out,
        'prop': lambda name: archive.properties.get(name),
        'module': facts.module,
        'all_undeferred': lambda: facts.flags('undeferred') == len(tasks),
        'team_sizes': lambda: {len(event.comm.members) for event in facts.events if event.kind == 'TeamBegin'},
        'splitters': splitters,
    }
