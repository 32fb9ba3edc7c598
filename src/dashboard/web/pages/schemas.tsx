import { Page } from "../parts/page.tsx";
export const Schemas = () => <Page title="Schemas">soon</Page>;
