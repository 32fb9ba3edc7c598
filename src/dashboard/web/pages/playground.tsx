import { Page } from "../parts/page.tsx";
export const Playground = () => <Page title="Playground">soon</Page>;
