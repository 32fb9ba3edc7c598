/** The first run: the providers found, whether they answer, and a call that works as pasted. */

import { useState } from "preact/hooks";
import type { NewKey, ProviderRow } from "../../wire.ts";
import { call } from "../api.ts";
import { ADDRESS, BASE_PATH } from "../base-path.ts";
import { plural } from "../format.ts";
import { SnippetTabs } from "../parts/code.tsx";
import { Problem } from "../parts/notice.tsx";
import { Card, Page } from "../parts/page.tsx";
import { SOURCES, TestLamp, useProviderTest } from "../parts/provider-state.tsx";
import { ShownOnce } from "../parts/shown-once.tsx";
import { hrefTo } from "../router.ts";
import { snippetsFor } from "../snippets.ts";
import { mode, project, providers } from "../state.ts";
import { useSubmit } from "../use-submit.ts";

const PROMPT = "Summarize in one sentence: a signal box is where the routes of a railway are set.";

export const Start = () => (
  <Page
    title="Getting started"
    lead="Three steps: a provider, a key, a call. The sandbox answers test keys for free, so you can begin without paying for anything."
  >
    <Found />
    <FirstCall />
    <Next />
  </Page>
);

const Found = () => {
  const found = providers.value.filter(({ configured }) => configured);
  return (
    <Card
      title="1. Providers"
      note={
        found.length === 0
          ? "None yet. Until one is set up, test keys answer from the built-in sandbox."
          : `${plural(found.length, "provider")} found, each tested just now.`
      }
      actions={
        <a class="button small" href={hrefTo("providers", null, { add: "true" })}>
          Add a provider
        </a>
      }
    >
      {found.length > 0 ? (
        <div>
          {found.map((provider) => (
            <TestedProvider key={provider.id} provider={provider} />
          ))}
        </div>
      ) : (
        <div class="stack tight muted">
          <p>There are three ways to add one:</p>
          <ul class="plain">
            <li>
              Set a variable and start again: <code>OPENAI_API_KEY</code>, <code>ANTHROPIC_API_KEY</code>,{" "}
              <code>GEMINI_API_KEY</code>.
            </li>
            <li>
              Start <a href="https://ollama.com">Ollama</a> or another local server; it is found by itself.
            </li>
            <li>
              Paste a key under <a href={hrefTo("providers", null, { add: "true" })}>Providers &amp; models</a>; it is kept
              encrypted.
            </li>
          </ul>
        </div>
      )}
    </Card>
  );
};

const TestedProvider = ({ provider }: { provider: ProviderRow }) => {
  const { test } = useProviderTest(provider.id, true);
  return (
    <div class="provider-line">
      <strong>{provider.name}</strong>
      <span class="muted small">{provider.source && `set up ${SOURCES[provider.source]}`}</span>
      <TestLamp test={test} />
      {test?.message && <span class="small problem advice">{test.message}</span>}
    </div>
  );
};

const FirstCall = () => {
  const [made, setMade] = useState<NewKey | null>(null);
  const kind = mode.value;
  const { busy, failure, submit } = useSubmit(async () =>
    setMade(await call<NewKey>("POST", `/projects/${project.value!.id}/keys`, { name: "first call", mode: kind })),
  );
  const key = made?.key ?? `pk_${kind}_…`;
  return (
    <Card
      title="2. A call that works"
      note={
        kind === "test"
          ? "A test key answers from the sandbox: free, and nothing leaves this machine."
          : "A live key uses the providers above."
      }
    >
      <div class="stack">
        {failure && <Problem failure={failure} />}
        {made === null ? (
          <div class="row">
            <button type="button" class="button primary" onClick={submit} disabled={busy}>
              Make a {kind} key and fill it in
            </button>
            <span class="muted small">Keys are shown once; the ones printed at the first start work here as well.</span>
          </div>
        ) : (
          <ShownOnce lead={`Your ${kind} key, shown this once:`} text={made.key} copy="Copy key" />
        )}
        <SnippetTabs snippets={snippetsFor(ADDRESS, key, PROMPT)} />
      </div>
    </Card>
  );
};

const Next = () => (
  <Card title="3. See what was decided">
    <div class="row">
      <a class="button" href={hrefTo("playground")}>
        Ask in the playground
      </a>
      <a class="button" href={hrefTo("calls")}>
        Watch calls come in
      </a>
      <a class="button quiet" href={`${BASE_PATH}/docs`} target="_blank" rel="noreferrer">
        Read the API reference
      </a>
    </div>
  </Card>
);
