/** Settings of the log: what it stores of each call, and for how long. */

import { useState } from "preact/hooks";
import { Check, NumberField } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { Card } from "../../parts/page.tsx";
import { project } from "../../state.ts";
import { saveSettings } from "./save-settings.ts";

export const LogSettings = () => {
  const { settings, tier_limits, tier } = project.value!;
  const [days, setDays] = useState(settings.log_retention_days);
  return (
    <Card
      title="Log & retention"
      note="Calls are kept for the tier's period or a shorter one; metrics keep their totals. Texts can be left out."
    >
      <div class="stack narrow-form">
        <Check
          label="Keep prompts and answers in the log"
          hint="If it is off, the log holds figures and decisions but no texts. It applies to new calls."
          checked={settings.store_bodies}
          onChange={(on) =>
            saveSettings({ store_bodies: on }, on ? "Texts are kept from now on." : "Texts are left out from now on.")
          }
        />
        <Form
          class="row end"
          onSubmit={() => saveSettings({ log_retention_days: days === null ? null : Math.round(days) }, "The retention is set.")}
        >
          <NumberField
            label="Keep calls for (days)"
            value={days}
            onChange={setDays}
            min={1}
            max={tier_limits.log_retention_days}
            step={1}
            placeholder={String(tier_limits.log_retention_days)}
            hint={`At most ${tier_limits.log_retention_days}, as the ${tier} tier says.`}
          />
          <button type="submit" class="button" disabled={days === settings.log_retention_days}>
            Save
          </button>
        </Form>
        <p class="muted small">
          A single user's data is deleted from the list of calls: filter by the user, then “Delete this user's data”. To keep
          personal data out of texts before they are stored, use a content policy with “Redact in logs”.
        </p>
      </div>
    </Card>
  );
};
