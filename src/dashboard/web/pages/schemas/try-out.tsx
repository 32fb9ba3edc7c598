/** Tries a schema on a pasted text or on a model's answer. */

import { useState } from "preact/hooks";
import type { SchemaTry } from "../../../wire.ts";
import { call } from "../../api.ts";
import { CodeBlock } from "../../parts/code.tsx";
import { AreaField, Check, TextField } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { Badge, Lamp } from "../../parts/lamp.tsx";
import { attempt, Problem } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath } from "../../state.ts";
import { useLoad } from "../../use-load.ts";

const TRY_AFTER_MS = 300;

/** Checks a text as an answer would be; can ask a model for one first. */
export const TryOut = ({ schema }: { schema: object | null }) => {
  const [text, setText] = useState("");
  const [strict, setStrict] = useState(false);
  const [prompt, setPrompt] = useState("");
  const [asking, setAsking] = useState(false);
  const tried = schema === null || text.trim() === "" ? null : { schema, text, strict };
  const { data: verdict, failure } = useLoad(
    tried && JSON.stringify(tried),
    (signal) => call<SchemaTry>("POST", "/schema-try", tried, signal),
    TRY_AFTER_MS,
  );
  const ask = async () => {
    setAsking(true);
    await attempt(async () => {
      const answer = await call("POST", apiPath("/v1/chat"), { messages: [{ role: "user", content: prompt }], schema });
      setText(answer.choices[0].message.content ?? "");
    });
    setAsking(false);
  };
  return (
    <Card title="Try it" note="Paste an answer, or let a model write one.">
      <div class="stack">
        <Form class="row end tester" onSubmit={ask}>
          <TextField
            label="Ask a model"
            value={prompt}
            onChange={setPrompt}
            placeholder="Extract: the lift is broken, it is urgent"
          />
          <button type="submit" class="button" disabled={prompt.trim() === "" || schema === null || asking}>
            {asking ? "Asking…" : "Ask"}
          </button>
        </Form>
        <AreaField
          code
          label="Answer"
          rows={8}
          value={text}
          onChange={setText}
          placeholder={'Here you go: {"title": "Lift broken", priority: "high",}'}
        />
        <Check label="Strict" hint="No repair: whatever does not fit as it is fails." checked={strict} onChange={setStrict} />
        <div class="try-verdict" aria-live="polite">
          {tried && failure && <Problem failure={failure} />}
          {tried && !failure && verdict && <Verdict verdict={verdict} />}
        </div>
      </div>
    </Card>
  );
};

const Verdict = ({ verdict }: { verdict: SchemaTry }) =>
  verdict.passed ? (
    <div class="stack tight">
      <div class="row">
        <Lamp tone="green">Fits</Lamp>
        {verdict.repaired.map((repair) => (
          <Badge key={repair} tone="amber">
            mended: {repair.replaceAll("_", " ")}
          </Badge>
        ))}
      </div>
      <CodeBlock wrap label="What the caller gets" code={JSON.stringify(verdict.value, null, 2)} />
    </div>
  ) : (
    <div class="stack tight">
      <Lamp tone="red">Does not fit</Lamp>
      <ul class="plain small">
        {verdict.errors.map((error) => (
          <li key={error.path + error.message}>
            <code>{error.path || "the answer"}</code> {error.message}
          </li>
        ))}
      </ul>
    </div>
  );
