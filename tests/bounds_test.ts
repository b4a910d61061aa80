/**
 * No silent limit: for every bound in src/ (`const MAX_…`, `LARGEST_…`, `LONGEST_…`) a test passes it and reads
 * the words that are said, or it stands below why there are none.
 */
import assert from "node:assert/strict";
import { resolve } from "@std/path";
import { sourcesOf } from "./support/exports.ts";

const ROOT = resolve(".");

/** By the bound: the test file, and the beginning of the name of the test that passes it. */
const TESTED: Readonly<Record<string, readonly [file: string, test: string]>> = {
  "src/agent/call_result.ts: MAX_OUTPUT_BYTES": ["agent/bounds_test.ts", "recordableResult() says"],
  "src/agent/clean.ts: MAX_DEPTH": ["agent/bounds_test.ts", "cleanJson() refuses JSON"],
  "src/agent/compaction.ts: MAX_EXCHANGE_BYTES": [
    "agent/compaction_test.ts",
    "compact() leaves out the middle",
  ],
  "src/agent/command.ts: MAX_SHOWN_BYTES": [
    "agent/tools/run_command_test.ts",
    "run_command says where it stops to show",
  ],
  "src/agent/edit_text.ts: MAX_COMPARISONS": [
    "agent/bounds_test.ts",
    "editText() looks for nothing",
  ],
  "src/agent/edit_text.ts: MAX_PLACES": ["agent/bounds_test.ts", "editText() counts the places"],
  "src/agent/edit_text.ts: MAX_SHOWN_LINES": [
    "agent/bounds_test.ts",
    "editText() counts the places",
  ],
  "src/agent/instructions.ts: MAX_FOUND_FILES": [
    "agent/instructions_test.ts",
    "readInstructions() says that there are too many",
  ],
  "src/agent/instructions.ts: MAX_INSTRUCTION_BYTES": [
    "agent/instructions_test.ts",
    "readInstructions() says what it cut",
  ],
  "src/agent/instructions.ts: MAX_NAMED_FILES": [
    "agent/instructions_test.ts",
    "readInstructions() says what it cut",
  ],
  "src/agent/kept_change.ts: MAX_PATCH_BYTES": [
    "agent/bounds_test.ts",
    "tools change files of any",
  ],
  "src/agent/mcp_list.ts: MAX_NAMED": ["agent/mcp_list_test.ts", "one bad tool costs"],
  "src/agent/mcp_list.ts: MAX_NAME_CHARACTERS": ["agent/mcp_list_test.ts", "one bad tool costs"],
  "src/agent/mcp_list.ts: MAX_PAGES": ["agent/mcp_list_test.ts", "a list without an end"],
  "src/agent/mcp_list.ts: MAX_TOOLS": ["agent/mcp_list_test.ts", "a list without an end"],
  "src/app/mentioned_images.ts: MAX_IMAGES": ["agent/images_test.ts", "mentionedImages() takes"],
  "src/session/images.ts: MAX_IMAGE_BYTES": ["agent/images_test.ts", "mentionedImages() takes"],
  "src/agent/mcp_result.ts: MAX_TEXT_BYTES": ["agent/mcp_test.ts", "a call that is not answered"],
  "src/agent/mcp_stdio.ts: MAX_MESSAGE_BYTES": ["agent/mcp_test.ts", "a server that misbehaves"],
  "src/agent/registry.ts: MAX_ISSUES": ["agent/bounds_test.ts", "Registry.callTool() counts"],
  "src/agent/tools/find_tool.ts: MAX_DESCRIPTION_BYTES": [
    "agent/mcp_test.ts",
    "find_tool says how",
  ],
  "src/agent/tools/find_tool.ts: MAX_NAMES": ["agent/mcp_test.ts", "find_tool says how many names"],
  "src/agent/tools/find_tool.ts: MAX_SHOWN": ["agent/mcp_test.ts", "find_tool says how many names"],
  "src/agent/tools/git_diff.ts: MAX_OUTPUT_BYTES": [
    "agent/bounds_test.ts",
    "git_diff says that it",
  ],
  "src/agent/tools/git_diff.ts: MAX_UNTRACKED": [
    "agent/bounds_test.ts",
    "git_diff says that it was",
  ],
  "src/agent/tools/list_files.ts: MAX_FILES": [
    "agent/tools/read_tools_test.ts",
    "list_files is capped",
  ],
  "src/agent/tools/read_file.ts: MAX_FILE_BYTES": [
    "agent/bounds_test.ts",
    "read_file says what it left",
  ],
  "src/agent/tools/read_file.ts: MAX_LINE_BYTES": [
    "agent/bounds_test.ts",
    "read_file says what it left",
  ],
  "src/agent/tools/read_file.ts: MAX_LINES": [
    "agent/tools/read_tools_test.ts",
    "read_file shows the",
  ],
  "src/agent/tools/read_file.ts: MAX_OUTPUT_BYTES": [
    "agent/bounds_test.ts",
    "read_file says what it",
  ],
  "src/agent/tools/search_files.ts: MAX_LINE_BYTES": [
    "agent/bounds_test.ts",
    "search_files says what",
  ],
  "src/agent/tools/search_files.ts: MAX_LINES": [
    "agent/tools/read_tools_test.ts",
    "search_files hands",
  ],
  "src/app/events/event_tail.ts: LONGEST_KEPT_OUTPUT": [
    "app/events/event_tail_test.ts",
    "EventTail keeps the end of a long output",
  ],
  "src/app/events/event_tail.ts: MAX_KEPT_EVENTS": [
    "app/events/event_tail_test.ts",
    "follow() says to who comes back",
  ],
  "src/app/events/follow.ts: MAX_WAITING_BYTES": [
    "app/events/event_tail_test.ts",
    "follow() drops a listener",
  ],
  "src/app/events/follow.ts: MAX_WAITING_EVENTS": [
    "app/events/event_tail_test.ts",
    "follow() drops a listener",
  ],
  "src/faces/terminal/abridge.ts: MAX_LINE_ROWS": [
    "faces/terminal/prompt_test.ts",
    "abridge() cuts a line of many rows",
  ],
  "src/faces/terminal/completion.ts: MAX_HINT_ROWS": [
    "faces/terminal/editor_test.ts",
    "applyCompletion() says",
  ],
  "src/faces/acp/live_output.ts: MAX_SHOWN_CHARACTERS": [
    "faces/acp/translator_test.ts",
    "LiveOutput.push() shows the end",
  ],
  "src/ledger/memory_block.ts: MAX_TEXT": ["ledger/memory_block_test.ts", "blockOf() marks a goal"],
  "src/model/answer_body.ts: MAX_EMPTY_EVENTS": [
    "model/deviations_test.ts",
    "stream() names a stream of something else",
  ],
  "src/model/key_command.ts: MAX_KEY_BYTES": [
    "model/choice_test.ts",
    "printed more than 16384 bytes",
  ],
  "src/platform/certificates.ts: MAX_CERTIFICATE_BYTES": [
    "platform/certificates_test.ts",
    "certificatesFrom() says of a file",
  ],
  "src/platform/files.ts: LARGEST_TEXT_BYTES": [
    "platform/files_test.ts",
    "readTextIfExists() refuses a",
  ],
  "src/session/json.ts: MAX_JSON_DEPTH": ["session/json_test.ts", "jsonValue refuses deep nesting"],
  "src/session/replay.ts: MAX_REQUEST_LENGTH": [
    "session/replay_test.ts",
    "Replay refuses a conversation",
  ],
  "src/session/title.ts: LONGEST_TITLE": ["session/catalog_test.ts", "setTitle() gives a session"],
  "src/ship/demonstration.ts: MAX_TEXT": [
    "ship/demonstration_test.ts",
    "ship() writes the demonstration from",
  ],
  "src/workflow/briefs.ts: MAX_QUESTIONS": [
    "workflow/workflow_test.ts",
    "runWorkflow() takes recommended",
  ],
  "src/workflow/checks/definition_change.ts: MAX_SHOWN_LINES": [
    "workflow/checks/definition_test.ts",
    "compareDefinitions() says how much",
  ],
  "src/workflow/detect/below.ts: MAX_DEPTH": [
    "workflow/detect/project_test.ts",
    "packages deeper than is looked",
  ],
  "src/workflow/detect/below.ts: MAX_PACKAGES": [
    "workflow/detect/project_test.ts",
    "a collection of packages",
  ],
  "src/workflow/detect/folder_reader.ts: LARGEST_MANIFEST_BYTES": [
    "workflow/detect/real_projects_test.ts",
    "folderReader() says which file",
  ],
  "src/workflow/detect/look.ts: MAX_FOLDERS": [
    "workflow/detect/project_test.ts",
    "tests deeper than is looked",
  ],
  "src/workflow/link.ts: MAX_PLANS": [
    "workflow/workflow_test.ts",
    "runWorkflow() hands a plan back",
  ],
  "src/workflow/phases/task.ts: MAX_HEALS": [
    "workflow/workflow_test.ts",
    "runWorkflow() gives a task up",
  ],
  "src/workflow/projection.ts: LARGEST_DOCUMENT_BYTES": [
    "workflow/projection_test.ts",
    "Projection.findEdit() refuses a document that is too large",
  ],
  "src/workflow/candidates/project_texts.ts: LARGEST_TEXT": [
    "workflow/candidates/try_candidates_test.ts",
    "runWorkflow() by candidates asks for a part",
  ],
  "src/workflow/candidates/request.ts: LARGEST_PIECE": [
    "workflow/candidates/try_candidates_test.ts",
    "runWorkflow() by candidates asks for a part",
  ],
  "src/workflow/candidates/try_candidates.ts: MAX_CANDIDATES": [
    "workflow/candidates/try_candidates_test.ts",
    "runWorkflow() by candidates leaves the file",
  ],
};

/** By the reason, the bounds that have no words. */
const WITHOUT_WORDS: Readonly<Record<string, readonly string[]>> = {
  "nothing is left out beyond it: the same comes about in another way": [
    "src/agent/registry.ts: MAX_SIDE_BY_SIDE",
    "src/faces/page/connection.ts: LONGEST_WAIT_MS",
    "src/faces/terminal/markdown_blocks.ts: MAX_PARSED_CHARS",
    "src/git/patch.ts: MAX_EDIT_LENGTH",
    "src/model/http_model.ts: MAX_STALE",
    "src/planning/block_text.ts: LONGEST_TRIED",
    "src/planning/inline_text.ts: LONGEST_TRIED",
  ],
  "the rest of an error's or a complaint's text, of which the beginning or the end tells why": [
    "src/agent/mcp_server.ts: MAX_ERROR_BYTES",
    "src/agent/mcp_stdio.ts: MAX_COMPLAINT_CHARACTERS",
    "src/model/exchange.ts: MAX_ERROR_BYTES",
  ],
  "what is offered of a longer list that is kept elsewhere, or said by it": [
    "src/faces/terminal/chat/chat_completer.ts: MAX_FILES",
    "src/faces/terminal/chat/history.ts: MAX_ENTRIES",
    "src/ledger/digest.ts: MAX_COMMITS",
    "src/ledger/digest.ts: MAX_SESSIONS",
    "src/ledger/entry.ts: MAX_FILES",
    "src/ledger/memory_block.ts: MAX_BLOCK_FILES",
    "src/ledger/past/commits.ts: MAX_COMMIT_FILES",
    "src/ledger/past/commits.ts: MAX_SUBJECT",
    "src/ledger/ranking.ts: MAX_LIKELY_FILES",
  ],
  "nothing is lost by it that means anything: a line's number, a key that is none, how long a text is exactly":
    [
      "src/agent/toml_lines.ts: MAX_LINES",
      "src/faces/terminal/keys.ts: MAX_SEQUENCE_CHARS",
      "src/ledger/other_agents/transcripts.ts: LONGEST_WORK_MS",
      "src/workflow/plain_turn.ts: LONGEST_SUBJECT",
      "src/ledger/past/past_index.ts: LONGEST_COUNT",
    ],
  "a question that is asked once more": ["src/agent/trust_store.ts: MAX_TEXTS"],
  "words are there, but no test passes it yet": [
    "src/agent/compaction.ts: MAX_SUMMARY_BYTES",
    "src/agent/mcp_http.ts: MAX_ANSWER_BYTES",
    "src/agent/tools/find_tool.ts: MAX_SCHEMA_BYTES",
    "src/agent/tools/list_files.ts: MAX_WALK_ENTRIES",
    "src/faces/terminal/chat/terminal_view.ts: MAX_OUTPUT_LINES",
    "src/ship/demonstration.ts: MAX_DIFF_BYTES",
    "src/faces/serve/client_stream.ts: LARGEST_MESSAGE",
    "src/faces/serve/server.ts: MAX_STRANGERS",
  ],
};

/** Every bound of src/, as `file: NAME`. */
function boundsOf(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const names = Deno.readTextFileSync(file)
      .matchAll(/\b(?:const|readonly) ((?:MAX|LARGEST|LONGEST)_[A-Z_]+)\b/g);
    return [...names].map(([, name]) => `${file}: ${name}`);
  });
}

Deno.test("every bound in src/ has a test that reads its words, or a reason why there are none", () => {
  const listed = [...Object.keys(TESTED), ...Object.values(WITHOUT_WORDS).flat()];
  const bounds = boundsOf(sourcesOf(ROOT, ["src"]));
  assert.deepEqual(bounds.filter((bound) => !listed.includes(bound)), []);
  const gone = listed.filter((bound) => !bounds.includes(bound));
  assert.deepEqual(gone, [], "these are gone: take them off the list");
});

Deno.test("the tests of bounds are there", () => {
  const missing = Object.values(TESTED).filter(([file, test]) =>
    !Deno.readTextFileSync(`tests/${file}`).includes(test)
  );
  assert.deepEqual(missing, []);
});
