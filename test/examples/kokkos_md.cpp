// Molecular dynamics with Kokkos: atoms that attract and repel each other (Lennard-Jones) in a
// periodic box, moved by velocity Verlet. Labels and regions name what the program does; it knows
// nothing of tools.
//
// usage: kokkos_md [atoms along an edge [steps]]
// Exits with 0 when the energy is the same at the end as at the beginning.
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using Vectors = Kokkos::View<double *[3]>;
using Numbers = Kokkos::View<int *>;

constexpr double spacing = 1.7, time_step = 0.004, reach = 2.5, skin = 0.3;
constexpr int steps_between_lists = 10, steps_between_reports = 20;

struct Atoms {
    int n;
    double edge;
    Vectors x, v, f;
    Numbers first,
        neighbours; // the neighbours of atom i: neighbours(first(i)) up to neighbours(first(i + 1))
};

// Returns the squared distance of two atoms, and its vector, between nearest periodic images.
KOKKOS_INLINE_FUNCTION double distance(const Atoms &atoms, int i, int j, double (&d)[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = atoms.x(i, k) - atoms.x(j, k);
        d[k] -= atoms.edge * std::round(d[k] / atoms.edge);
        square += d[k] * d[k];
    }
    return square;
}

static Atoms create(int side)
{
    int n = side * side * side;
    Atoms atoms{n,
                side * spacing,
                Vectors("positions", n),
                Vectors("velocities", n),
                Vectors("forces", n),
                Numbers("first neighbours", n + 1),
                Numbers("neighbours", 0)};
    Kokkos::parallel_for(
        "place on a lattice", n, KOKKOS_LAMBDA(int i) {
            int cell[3] = {i % side, i / side % side, i / side / side};
            for (int k = 0; k < 3; k++) {
                atoms.x(i, k) = spacing * cell[k];
                atoms.v(i, k) = std::sin(1.0 + 7.0 * i + 3.0 * k);
            }
        });
    return atoms;
}

// Makes the list of pairs that may come into reach before the next list: counts them, adds up the
// counts, and stores them.
static void list_neighbours(Atoms &atoms)
{
    Kokkos::Profiling::pushRegion("neighbour list");
    double square = (reach + skin) * (reach + skin);
    int total = 0;
    Atoms now = atoms;
    auto count = KOKKOS_LAMBDA(int i, int &sum, bool is_final)
    {
        if (is_final) {
            now.first(i) = sum;
        }
        for (int j = 0; i < now.n && j < now.n; j++) {
            double d[3];
            sum += i != j && distance(now, i, j, d) < square;
        }
    };
    Kokkos::parallel_scan("count neighbours", now.n + 1, count, total);
    if (static_cast<int>(atoms.neighbours.extent(0)) < total) {
        Kokkos::realloc(atoms.neighbours, total + total / 4);
        now = atoms;
    }
    using Policy = Kokkos::TeamPolicy<>;
    Kokkos::parallel_for(
        "list neighbours", Policy(now.n, 1), KOKKOS_LAMBDA(const Policy::member_type &member) {
            int i = member.league_rank(), at = now.first(i);
            for (int j = 0; j < now.n; j++) {
                double d[3];
                if (i != j && distance(now, i, j, d) < square) {
                    now.neighbours(at++) = j;
                }
            }
        });
    Kokkos::Profiling::popRegion();
}

// Returns the potential energy, which is shifted to 0 at the reach and cut there.
static double find_forces(const Atoms &atoms)
{
    double energy = 0;
    const double at_reach = 4 * (std::pow(reach, -12) - std::pow(reach, -6));
    Kokkos::parallel_reduce(
        "forces", atoms.n,
        KOKKOS_LAMBDA(int i, double &sum) {
            double force[3] = {0, 0, 0};
            for (int at = atoms.first(i); at < atoms.first(i + 1); at++) {
                double d[3], square = distance(atoms, i, atoms.neighbours(at), d);
                if (square < reach * reach) {
                    double inverse = 1 / (square * square * square);
                    sum += 0.5 * (4 * (inverse * inverse - inverse) - at_reach);
                    for (int k = 0; k < 3; k++) {
                        force[k] += 24 * (2 * inverse * inverse - inverse) / square * d[k];
                    }
                }
            }
            for (int k = 0; k < 3; k++) {
                atoms.f(i, k) = force[k];
            }
        },
        energy);
    return energy;
}

static void push(const char *label, const Atoms &atoms, bool is_moving)
{
    Kokkos::parallel_for(
        label, atoms.n, KOKKOS_LAMBDA(int i) {
            for (int k = 0; k < 3; k++) {
                atoms.v(i, k) += 0.5 * time_step * atoms.f(i, k);
                atoms.x(i, k) += is_moving ? time_step * atoms.v(i, k) : 0;
            }
        });
}

static double kinetic_energy(const Atoms &atoms)
{
    using Plane = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
    double energy = 0;
    Kokkos::parallel_reduce(
        "kinetic energy", Plane({0, 0}, {atoms.n, 3}),
        KOKKOS_LAMBDA(int i, int k, double &sum) { sum += 0.5 * atoms.v(i, k) * atoms.v(i, k); },
        energy);
    return energy;
}

static double report(int step, const Atoms &atoms, const Vectors::HostMirror &snapshot,
                     double potential)
{
    Kokkos::Profiling::pushRegion("report");
    double energy = potential + kinetic_energy(atoms);
    Kokkos::deep_copy(snapshot, atoms.x);
    std::printf("step %3d: energy %.4f, first atom at %.4f\n", step, energy, snapshot(0, 0));
    Kokkos::Profiling::popRegion();
    return energy;
}

static double run(int side, int n_steps)
{
    Kokkos::Profiling::pushRegion("set up");
    Atoms atoms = create(side);
    Vectors::HostMirror snapshot("snapshot", atoms.n);
    list_neighbours(atoms);
    double potential = find_forces(atoms);
    Kokkos::Profiling::popRegion();
    double at_first = report(0, atoms, snapshot, potential), energy = at_first;
    for (int step = 1; step <= n_steps; step++) {
        Kokkos::Profiling::pushRegion("time step");
        push("push and move", atoms, true);
        if (step % steps_between_lists == 0) {
            list_neighbours(atoms);
        }
        potential = find_forces(atoms);
        push("push", atoms, false);
        if (step % steps_between_reports == 0) {
            energy = report(step, atoms, snapshot, potential);
        }
        Kokkos::Profiling::popRegion();
    }
    return std::fabs(energy - at_first) / atoms.n;
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    double drift = run(argc > 1 ? std::atoi(argv[1]) : 10, argc > 2 ? std::atoi(argv[2]) : 100);
    std::printf("energy drifts by less than 0.01 an atom: %s\n", drift < 0.01 ? "yes" : "no");
    return drift < 0.01 ? EXIT_SUCCESS : EXIT_FAILURE;
}
