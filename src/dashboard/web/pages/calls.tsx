import { Page } from "../parts/page.tsx";
export const Calls = () => <Page title="Calls">soon</Page>;
