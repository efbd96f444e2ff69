"""The libraries that a machine without packages lacks, packed on one that has them, and the sources' revision.

scripts/gpu_check --prepare packs them into .gpu/; where .gpu/ exists, scripts/gpu_check builds with them.
"""
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKED = ROOT / ".gpu"
KINDS = {".h", ".cpp", ".cu", ".cmake", ".txt"}  # of sources
LIMIT_MIB = 64  # sources and packed libraries together, so that they travel easily

# Debian package: what of it is packed, below /usr. Shared libraries bring along all that they need but the
# system's own.
WHOLE = "libfmt libcli11 nlohmann-json3 libgtest libgmock libeigen3 libmetis libnetcdf libexpat1".split()
CARRIED = {f"{name}-dev": ["*"] for name in WHOLE} | {"libsuitesparse-dev": ["include/suitesparse/*"] + [
    f"lib/*/lib{name}.a" for name in ("klu", "btf", "amd", "colamd", "suitesparseconfig")]}
NOT_CARRIED = ["share/doc/*", "share/man/*", "share/lintian/*", "bin/*", "lib/*/cmake/netCDF/*",
               "lib/*/cmake/expat-*/*"]
SYSTEM = re.compile(r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s))\.so.*")


def output_of(*command):
    """Standard output of a command; empty when it is not there or fails."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def digest_of_sources(tree=ROOT):
    """Of the files that decide what is built and run; the same with and without git."""
    digest = hashlib.sha256()
    for folder in ("src", "cuda", "tests", "bench", "cmake", "include", "CMakeLists.txt"):
        path = tree / folder
        for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in KINDS):
            digest.update(str(file.relative_to(tree)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def revision():
    """Revision of the sources, and a digest of them that tells changed ones apart."""
    digest, name = digest_of_sources(), output_of("git", "rev-parse", "--short", "HEAD")
    if name:
        changed = output_of("git", "status", "--porcelain", "--untracked-files=no")
        return {"revision": name + (" with changes" if changed else ""), "sources": digest}
    manifest = PACKED / "manifest.json"
    packed = json.loads(manifest.read_text()) if manifest.exists() else {}
    return {"revision": packed["revision"] if packed.get("sources") == digest else "unknown", "sources": digest}


def with_links(path):
    """A file by its folder's real name, and what it is a link to."""
    path = pathlib.Path(os.path.realpath(path.parent)) / path.name
    yield path
    if path.is_symlink():
        yield from with_links(path.parent / os.readlink(path))


def needed_libraries(path):
    """Shared libraries that one needs, those of the system left out."""
    for name, found in re.findall(r"(\S+) => (\S+)", output_of("ldd", path)):
        if found == "not":
            sys.exit(f"gpu_check: {path} needs {name}, which is not there")
        if not SYSTEM.fullmatch(name):
            yield pathlib.Path(found)


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def carried_files():
    files = set()
    for package, patterns in CARRIED.items():
        listed = output_of("dpkg", "-L", package).splitlines()
        if not listed:
            sys.exit(f"gpu_check: package {package} is not installed; scripts/setup installs it")
        for name in (line for line in listed if not os.path.isdir(line)):
            below = name.removeprefix("/usr/")
            if matches(below, patterns) and not matches(below, NOT_CARRIED):
                needed = needed_libraries(name) if name.endswith(".so") else []
                files.update(file for path in (pathlib.Path(name), *needed) for file in with_links(path))
    return sorted(files)


def prepare():
    """Packs the libraries and notes the revision they were packed at; tells the size."""
    PACKED.mkdir(exist_ok=True)
    archive = PACKED / "libraries.tar.gz"
    files = carried_files()
    with tarfile.open(archive, "w:gz", compresslevel=9) as tar:
        for path in files:
            tar.add(path, arcname=str(path).lstrip("/"), recursive=False)
    versions = output_of("dpkg-query", "-W", "-f=${Package} ${Version}\n", *CARRIED).splitlines()
    manifest = {**revision(), "packages": dict(line.split() for line in versions), "files": len(files)}
    (PACKED / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    tree = output_of("git", "ls-files", "-co", "--exclude-standard").splitlines()
    tree_size = sum((ROOT / name).stat().st_size for name in tree if (ROOT / name).is_file())
    packed_size = sum(p.stat().st_size for p in PACKED.iterdir())
    total = (tree_size + packed_size) / 2**20
    print(f"gpu_check: {len(files)} files in {archive.relative_to(ROOT)}, {packed_size / 2**20:.1f} MiB; "
          f"with the sources {total:.1f} MiB")
    if total > LIMIT_MIB:
        sys.exit(f"gpu_check: more than {LIMIT_MIB} MiB; CARRIED in scripts/packed_libraries.py says what is packed")


def unpack_once(archive, folder):
    """Unpacks an archive, unless the folder has it already."""
    stamp, digest = folder / "unpacked", hashlib.sha256(archive.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    stamp.write_text(digest)


def unpack(build):
    """The packed libraries, below the build folder; None where none are packed: then the system has its own."""
    archive, prefix = PACKED / "libraries.tar.gz", build / "libraries"
    if not archive.exists():
        return None
    unpack_once(archive, prefix)
    return prefix / "usr"


def options_for(prefix):
    """What CMake has to be told to find the packed libraries, and programs to find them when they run."""
    if not prefix:
        return []
    libraries = {str(p.parent) for p in prefix.glob("lib/**/*.a")}
    configs = {re.sub(r"-?[cC]onfig$", "", p.stem): p.parent for p in prefix.rglob("*onfig.cmake")}
    linker = [f"-Wl,-rpath-link,{p}" for p in sorted(libraries)] + ["-Wl,--disable-new-dtags"]
    return [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_LIBRARY_PATH={';'.join(sorted(libraries))}",
            f"-DCMAKE_INCLUDE_PATH={prefix / 'include'}", f"-DCMAKE_EXE_LINKER_FLAGS={' '.join(linker)}",
            *(f"-D{name}_DIR={folder}" for name, folder in sorted(configs.items()))]
