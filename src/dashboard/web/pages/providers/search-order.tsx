/** The order in which search engines are tried: the first configured one that answers serves the search. */

import { askProviders } from "../../ask-providers.ts";
import { Arrows } from "../../parts/arrows.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { attempt } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { setup } from "../../state.ts";

export const SearchOrder = () => {
  const { providers, search_order: order, search_order_fixed: fixed } = setup.value;
  const move = (id: string, to: number) => {
    const next = order.filter((other) => other !== id);
    next.splice(to, 0, id);
    return attempt(() => askProviders("PUT", "/search-order", { order: next }));
  };
  return (
    <Card
      flush
      title="Order of the search engines"
      note={
        fixed
          ? "signalbox.yaml sets it; change it there."
          : "The first that is set up and answers serves a web search; the next stands in for it."
      }
    >
      <ol class="policy-list">
        {order.map((id, at) => {
          const provider = providers.find((one) => one.id === id);
          const name = provider?.name ?? id;
          return (
            <li key={id} class="engine">
              <span class="policy-name">{name}</span>
              <Lamp tone={provider?.configured ? "green" : "off"}>{provider?.configured ? "set up" : "not set up"}</Lamp>
              <Arrows name={name} at={at} of={order.length} disabled={fixed} onMove={(to) => move(id, to)} />
            </li>
          );
        })}
      </ol>
    </Card>
  );
};
