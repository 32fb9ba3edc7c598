/** How other features name a saved schema: by id, slug or `slug@version`, within a project. */
export { findSchema } from "./store.ts";
