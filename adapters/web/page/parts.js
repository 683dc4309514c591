// Where the parts of the page come from.

export { Composer, SentFiles } from "./old_composer.js";
export { Run, RunView } from "./old_run.js";
