import { Page } from "../parts/page.tsx";
export const Sessions = () => <Page title="Sessions">soon</Page>;
