# Builds Otter from the clone that contains this file:
#
#   spack repo add CLONE/packaging/spack
#   spack install otter
import pathlib

from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.meson import MesonPackage
except ImportError:  # earlier, spack.package has it
    pass


class Otter(MesonPackage):
    """Otter records OpenMP, Kokkos and MPI programs without recompiling, and reports what limits them."""

    git = pathlib.Path(__file__).resolve().parents[4].as_uri()

    license("BSD-3-Clause", checked_by="otter-developers")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("ompt", default=True, description="Record OpenMP programs")
    variant("kokkos", default=True, description="Record Kokkos programs")
    variant("mpi", default=False, description="Record MPI programs; Open MPI and MPICH have a library each")
    variant("docs", default=False, description="Install the manual pages; scdoc must be an external program of PATH")
    variant("tests", default=False, description="Build the tests, for spack install --test=root")

    requires("platform=linux")
    requires("target=x86_64:", "target=aarch64:", policy="any_of", msg="Otter is tested on x86-64 and 64-bit ARM")

    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("uthash", type="build")
    depends_on("elfutils@0.170:")
    depends_on("jansson@2.10:")
    depends_on("otf2@3.0:")
    depends_on("libdeflate")
    # omp-tools.h; the program brings its own runtime.
    depends_on("llvm-openmp", type="build", when="+ompt")
    depends_on("mpi", type="build", when="+mpi")
    depends_on("cmocka", type="build", when="+tests")

    def meson_args(self):
        def feature(name):
            return f"-D{name}={'enabled' if self.spec.satisfies('+' + name) else 'disabled'}"

        args = [feature(name) for name in ("ompt", "kokkos", "mpi", "docs")]
        args += ["-Dotf2=system", f"-Dtests={'true' if self.spec.satisfies('+tests') else 'false'}"]
        if self.spec.satisfies("+ompt"):
            args.append(f"-Dompt_headers={self.spec['llvm-openmp'].prefix.include}")
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_command(self):
        Executable(self.prefix.bin.otter)("--version")
