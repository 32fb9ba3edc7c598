/** Providers and models with their health, prices and shutdown dates. Keys typed in here are stored encrypted. */

import { useState } from "preact/hooks";
import { loadProviders } from "../../ask-providers.ts";
import { Icon } from "../../parts/icon.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { providers } from "../../state.ts";
import { useEvery, useLoad } from "../../use-load.ts";
import { Models } from "./models.tsx";
import { ProviderCard } from "./provider-card.tsx";
import { AddProvider } from "./provider-dialogs.tsx";
import { ProviderHistory } from "./provider-history.tsx";
import { SearchOrder } from "./search-order.tsx";
import { TrySearch } from "./try-search.tsx";

const HEALTH_EVERY_MS = 10_000;

export const Providers = () => {
  const [added, setAdded] = useState<string[]>([]);
  const { reload } = useLoad("providers", loadProviders);
  useEvery(HEALTH_EVERY_MS, reload);
  const all = providers.value;
  const shown = [...all].sort((a, b) => Number(b.configured) - Number(a.configured));
  return (
    <Page
      title="Providers & models"
      lead="A provider is set up by a variable, by signalbox.yaml or here, in this order of precedence."
      actions={
        <button type="button" class="button primary" onClick={() => setQuery({ add: "true" })}>
          <Icon name="plus" /> Add a provider
        </button>
      }
    >
      <div class="provider-cards">
        {shown
          .filter(({ configured, stored_here }) => configured || stored_here)
          .map((provider) => (
            <ProviderCard key={provider.id} provider={provider} isNew={added.includes(provider.id)} />
          ))}
      </div>
      {!all.some(({ configured }) => configured) && (
        <Card>
          <Empty title="No provider is set up">
            <p>
              Live calls answer 503 until one is. Paste a key, set a variable such as OPENAI_API_KEY, or start Ollama on this
              machine.
            </p>
            <button type="button" class="button primary" onClick={() => setQuery({ add: "true" })}>
              Add a provider
            </button>
          </Empty>
        </Card>
      )}
      <ProviderHistory />
      <Models />
      <SearchOrder />
      <TrySearch />
      {queryOf("add") !== null && (
        <AddProvider all={all} onStored={(id) => setAdded([...added, id])} onClose={() => setQuery({ add: null })} />
      )}
    </Page>
  );
};
