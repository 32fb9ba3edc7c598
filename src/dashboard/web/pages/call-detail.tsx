import { Page } from "../parts/page.tsx";
export const CallDetail = () => <Page title="CallDetail">soon</Page>;
