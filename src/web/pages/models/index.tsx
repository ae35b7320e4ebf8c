/** Models. */
import { Notice } from '../../components/notice.tsx'

export const Page = () => <Notice title="Models" />
