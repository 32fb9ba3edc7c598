import { Page } from "../parts/page.tsx";
export const Media = () => <Page title="Media">soon</Page>;
