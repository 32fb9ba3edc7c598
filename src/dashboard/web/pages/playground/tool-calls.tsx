/** The tool calls of an answer; the user types their results, which are sent together. */

import { useState } from "preact/hooks";
import { AreaField } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import type { Answer } from "../../stream-answer.ts";

type Props = { answer: Answer; onReturn: (answer: Answer, results: string[]) => void };

export const ToolCalls = ({ answer, onReturn }: Props) => {
  const [results, setResults] = useState<string[]>([]);
  const isDone = answer.state === "done";
  const send = () => onReturn(answer, results);
  return (
    <Form onSubmit={send}>
      {answer.toolCalls.map(({ id, function: { name, arguments: text } }, at) => (
        <div key={id} class="stack tight">
          <code class="tool-call wrap-anywhere">
            {name}({text})
          </code>
          {isDone && (
            <AreaField
              code
              label={`What ${name} returns`}
              rows={2}
              value={results[at] ?? ""}
              onChange={(value) => setResults(Object.assign([...results], { [at]: value }))}
              placeholder='{"…": "…"}'
              onSubmit={send}
            />
          )}
        </div>
      ))}
      {isDone && (
        <div>
          <button type="submit" class="button small primary">
            Send back
          </button>
        </div>
      )}
    </Form>
  );
};
