/** Images: a form, and its results. */

import { call } from "../../api.ts";
import { exactUsd } from "../../format.ts";
import { AreaField, NumberField, optionsOf, SelectField, same, TextField } from "../../parts/controls.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { MediaModelField, type MediaModels, useMediaModels } from "../../parts/media-model-field.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath, mode } from "../../state.ts";
import { type FormOf, useForm } from "../../use-form.ts";
import { Drawn, type ImageResult } from "./drawn.tsx";

type Order = { prompt: string; model: string; size: string; n: number | null; quality: string; style: string };
const USUAL: Order = { prompt: "", model: "image-a-3", size: "1024x1024", n: 1, quality: "standard", style: "vivid" };

export const Images = () => {
  const media = useMediaModels("image");
  const drawing = useForm(USUAL, (order) =>
    call<ImageResult>("POST", apiPath("/v1/images/generations"), { ...order, n: order.n ?? 1 }),
  );
  return (
    <div class="media">
      <Card title="New image">
        <ActionForm of={drawing} action="Draw" doing="Drawing…" disabled={drawing.values.prompt.trim() === ""}>
          <OrderFields media={media} form={drawing} />
        </ActionForm>
      </Card>
      <Drawn of={drawing}>
        {mode.value === "test" && "The sandbox draws a real PNG. "}A chat that asks for a picture (“draw me …”) gets one just the
        same.
      </Drawn>
    </div>
  );
};

type FieldsProps = { media: MediaModels; form: Pick<FormOf<Order>, "values" | "change" | "field"> };

const OrderFields = ({ media, form: { values: order, change, field } }: FieldsProps) => {
  const {
    sizes = [order.size],
    max_images,
    custom_sizes,
    hd_price_usd = null,
  } = media.models.find(({ id }) => id === order.model) ?? {};
  const most = max_images ?? 10;
  const choose = (id: string) => {
    const next = media.models.find((one) => one.id === id)!;
    change({
      model: id,
      size: next.custom_sizes || next.sizes.includes(order.size) ? order.size : USUAL.size,
      n: Math.min(order.n ?? 1, next.max_images!),
      ...(next.hd_price_usd === null && { quality: USUAL.quality, style: USUAL.style }),
    });
  };
  return (
    <>
      <AreaField label="Prompt" {...field("prompt")} rows={5} placeholder="A signal box at dusk, gouache, warm lamp light" />
      <MediaModelField of={media} {...field("model")} onChange={choose} />
      <div class="form-grid">
        {custom_sizes ? (
          <TextField label="Size" {...field("size")} list={sizes} hint="Each side a multiple of 8 from 256 to 2048." />
        ) : (
          <SelectField label="Size" {...field("size")} options={same(sizes)} />
        )}
        {most > 1 && <NumberField label="How many" {...field("n")} min={1} max={most} hint={`At most ${most}.`} step={1} />}
        {hd_price_usd !== null && (
          <>
            <SelectField
              label="Quality"
              {...field("quality")}
              options={optionsOf({ standard: "Standard", hd: `HD (${exactUsd(hd_price_usd)})` })}
            />
            <SelectField label="Style" {...field("style")} options={optionsOf({ vivid: "Vivid", natural: "Natural" })} />
          </>
        )}
      </div>
    </>
  );
};
