/** Starts the dashboard in the browser. */

import { render } from "preact";
import { App } from "./app.tsx";
import { followLinks } from "./router.ts";
import { applyTheme } from "./state.ts";

applyTheme();
followLinks();
render(<App />, document.getElementById("app")!);
