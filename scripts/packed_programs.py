"""Programs for a machine with a GPU and little time, packed on one that has built them: scripts/gpu_check --pack there,
--programs here. Nothing is compiled then, so all of the time is left for tests and measurements.
"""
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

from packed_libraries import (LIMIT_MIB, PACKED, ROOT, digest_of_sources, needed_libraries, output_of, revision,
                              unpack_once)

ARCHIVE = PACKED / "programs.tar.xz"


def opened_libraries():
    """The netCDF library, which programs open by name when they need it, and all that it needs."""
    found = re.search(r"libnetcdf\.so\.\d+ .*=> (\S+)", output_of("/sbin/ldconfig", "-p"))
    if not found:
        sys.exit("gpu_check: the netCDF library is not installed; scripts/setup installs it")
    return [pathlib.Path(found[1]), *needed_libraries(found[1])]


def source_of(build):
    """The tree that a folder was built of."""
    return re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]


def machine_code_in(build):
    """The GPUs that a build makes machine code for: {"90"}."""
    built = re.search(r"^CMAKE_CUDA_ARCHITECTURES:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    return {word.partition("-")[0] for word in built[1].split(";") if not word.endswith("-virtual")} if built else set()


def pack(build, programs, tests):
    """Builds programs and plugins in a build folder and packs them, stripped, with the shared libraries that they need."""
    if not machine_code_in(build):
        sys.exit(f"gpu_check: {build} makes no machine code, and the driver of the other machine would take minutes for it; "
                 "cmake --preset release -DCMAKE_CUDA_ARCHITECTURES=90-real")
    tree = pathlib.Path(source_of(build))
    if digest_of_sources(tree) != digest_of_sources():
        sys.exit(f"gpu_check: {build} is of {tree}, whose sources are others than these")
    subprocess.run(["cmake", "--build", build, "--target", *programs, "trammel_plugins"], check=True)
    files = [build / "bin" / name for name in programs] + sorted((build / "bin").glob("libtrammel_*.so"))
    folder = PACKED / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    for below in ("bin", "lib"):
        (folder / below).mkdir(parents=True)
    for file in files:
        subprocess.run(["strip", "-o", folder / "bin" / file.name, file], check=True)
        # CUDA's own libraries are the other machine's: they are large, and nothing but a plugin needs them.
        for library in needed_libraries(file) if not file.name.startswith("libtrammel_") else []:
            shutil.copy(library, folder / "lib" / library.name)
    for library in opened_libraries():
        shutil.copy(library, folder / "lib" / library.name)
    manifest = {**revision(), "built_of": str(tree), "tests": sorted(tests)}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    # Programs are linked from the same objects: a dictionary as large as all of them finds that.
    words = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 128 << 20}]
    with lzma.open(ARCHIVE, "w", filters=words) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        tar.add(folder, arcname=".")
    shutil.rmtree(folder)
    listed = output_of("git", "ls-files", "-co", "--exclude-standard").splitlines()
    total = (ARCHIVE.stat().st_size + sum((ROOT / f).stat().st_size for f in listed if (ROOT / f).is_file())) / 2**20
    print(f"gpu_check: {len(files)} programs and plugins in {ARCHIVE.relative_to(ROOT)}, "
          f"{ARCHIVE.stat().st_size / 2**20:.1f} MiB; with the sources {total:.1f} MiB")
    if total > LIMIT_MIB:
        sys.exit(f"gpu_check: more than {LIMIT_MIB} MiB")


def unpack(folder):
    """Unpacks them, and lets programs find their libraries and tests their files; gives the manifest."""
    if not ARCHIVE.exists():
        sys.exit(f"gpu_check: there is no {ARCHIVE.relative_to(ROOT)}; scripts/gpu_check --pack makes it where programs are built")
    unpack_once(ARCHIVE, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    if manifest["sources"] != digest_of_sources():
        sys.exit("gpu_check: the packed programs are of other sources than these; scripts/gpu_check --pack again")
    cuda = [str(path) for path in map(pathlib.Path, ("/usr/local/cuda/lib64", "/usr/local/cuda/lib")) if path.exists()]
    found = [str(folder / "lib"), *cuda, os.environ.get("LD_LIBRARY_PATH", "")]
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(path for path in found if path)
    # Tests read files of the tree by the path that they were compiled with.
    root = pathlib.Path(manifest["built_of"])
    if not root.exists():
        root.parent.mkdir(parents=True, exist_ok=True)
        root.symlink_to(ROOT)
    return manifest
