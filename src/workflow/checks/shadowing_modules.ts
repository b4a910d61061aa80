/**
 * Modules of a project that Python takes in place of a runner's or of its own library's.
 * Rule: only where Python looks first: in the folder that a runner starts in, and in its folders of tests and sources.
 */

/** What runners of tests are made of, and what Python reads by itself when it starts. */
const RUNNERS =
  "sitecustomize usercustomize pytest _pytest pluggy iniconfig packaging exceptiongroup py nose nose2 " +
  "unittest doctest coverage tox nox xdist hypothesis";

/** Modules of Python's own library that runners use. */
const LIBRARY =
  "abc argparse ast asyncio bdb bisect code codecs collections configparser contextlib copy copyreg csv " +
  "dataclasses datetime decimal difflib dis enum fnmatch fractions functools genericpath getopt gettext glob " +
  "hashlib heapq importlib inspect io json keyword linecache locale logging math multiprocessing numbers " +
  "operator os pathlib pdb pickle pkgutil platform posixpath pprint queue random re reprlib runpy shlex shutil " +
  "signal site socket stat statistics string struct subprocess tempfile textwrap threading time token tokenize " +
  "tomllib traceback types typing uuid warnings weakref xml zipfile";

/** Their paths, from the folder that the runner starts in. */
export const SHADOWING = new RegExp(
  `^(?:(?:tests?|src|lib)/)?(?:${
    `${RUNNERS} ${LIBRARY}`.replaceAll(" ", "|")
  })(?:\\.py|/__init__\\.py)$`,
);
