/** Ask. */
import { Notice } from '../../components/notice.tsx'

export const Page = () => <Notice title="Ask" />
