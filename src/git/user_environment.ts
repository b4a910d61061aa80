/**
 * git with the user's own environment.
 * Rule: of it nothing is left out but what would lead git to another repository or change what its arguments
 * mean, and what is m31a's own: its variables and the keys of providers.
 */
import { KEY_VARIABLES } from "../platform/environment.ts";
import { EXEC, unsetVariables } from "../platform/shell.ts";

/**
 * Variables of git's that belong to one repository or to the command that set them, as patterns of names:
 * those of `git rev-parse --local-env-vars`, and those that change how arguments are read, which programs
 * are git's own and what it prints besides. An empty GIT_DIR is not the same as none.
 */
export const LOCAL_VARIABLES = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_ATTR_SOURCE",
  "GIT_CEILING_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_KEY_*",
  "GIT_CONFIG_PARAMETERS",
  "GIT_CONFIG_VALUE_*",
  "GIT_DEFAULT_HASH",
  "GIT_DIR",
  "GIT_EXEC_PATH",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INDEX_VERSION",
  "GIT_INTERNAL_*",
  "GIT_NAMESPACE",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REFLOG_ACTION",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_TEMPLATE_DIR",
  "GIT_TRACE*",
  "GIT_WORK_TREE",
  "GIT_*_PATHSPECS",
];

/** The script that starts git as the user's own. Arguments: `NAME=value` for each variable to be set, `--`, the command. */
export const AS_USER = `${
  unsetVariables([...LOCAL_VARIABLES, "M31A_*", ...KEY_VARIABLES].join("|"))
}
while [ "$1" != -- ]; do export "$1"; shift; done
shift
${EXEC}`;
