/** Edits: a picture, and what is to be different in it. */

import { call } from "../../api.ts";
import { AreaField, NumberField } from "../../parts/controls.tsx";
import { FileField } from "../../parts/file-field.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { MediaModelField, useMediaModels } from "../../parts/media-model-field.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import { Drawn, type ImageResult } from "./drawn.tsx";

type Order = { image: File | null; prompt: string; model: string; n: number | null };
const USUAL: Order = { image: null, prompt: "", model: "image-a-3", n: 1 };

export const Edits = () => {
  const media = useMediaModels("image", "editors");
  const editing = useForm(USUAL, ({ image, prompt, model, n }) => {
    const form = new FormData();
    form.set("image", image!);
    for (const [name, value] of Object.entries({ prompt, model, n: n ?? 1 })) form.set(name, String(value));
    return call<ImageResult>("POST", apiPath("/v1/images/edits"), form);
  });
  const { values, change, field } = editing;
  const mostOf = (id: string) => media.models.find((model) => model.id === id)?.max_images ?? 1;
  const most = mostOf(values.model);
  return (
    <div class="media">
      <Card title="Edit a picture">
        <ActionForm of={editing} action="Edit" doing="Drawing…" disabled={values.image === null || values.prompt.trim() === ""}>
          <FileField label="Picture" {...field("image")} hint="PNG, JPEG or WebP, up to 20 MB." accept=".png,.jpg,.jpeg,.webp" />
          <AreaField label="What changes" {...field("prompt")} rows={3} placeholder="The same at night, with snow" />
          <MediaModelField
            of={media}
            {...field("model")}
            onChange={(model) => change({ model, n: Math.min(values.n ?? 1, mostOf(model)) })}
          />
          {most > 1 && <NumberField label="How many" {...field("n")} min={1} max={most} hint={`At most ${most}.`} step={1} />}
        </ActionForm>
      </Card>
      <Drawn of={editing}>In the shape of yours, with about a megapixel.</Drawn>
    </div>
  );
};
