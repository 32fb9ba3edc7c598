import { Page } from "../parts/page.tsx";
export const Documents = () => <Page title="Documents">soon</Page>;
