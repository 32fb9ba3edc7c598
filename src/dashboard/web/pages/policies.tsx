import { Page } from "../parts/page.tsx";
export const Policies = () => <Page title="Policies">soon</Page>;
