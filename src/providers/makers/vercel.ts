/** Vercel's gateway, which routes to the models of many makers. Its format is the AI SDK's own. */
import type { Maker } from '../maker.ts'
import { sdkProvider } from '../sdk/provider.ts'

const home = 'https://ai-gateway.vercel.sh/v4/ai'

export const vercel: Maker = {
  id: 'vercel',
  label: 'Vercel AI Gateway',
  keys: ['AI_GATEWAY_API_KEY'],
  keyPage: 'https://vercel.com/d?to=%2F%5Bteam%5D%2F%7E%2Fai%2Fapi-keys',
  baseURLVariable: 'AI_GATEWAY_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'vercel',
        label: 'Vercel AI Gateway',
        async model({ key = '', baseURL = home, fetch }, id) {
          const { createGateway } = await import('@ai-sdk/gateway')
          return createGateway({ apiKey: key, baseURL, fetch })(id)
        },
        // The gateway then marks cache points for the makers that need them.
        options: () => ({ gateway: { caching: 'auto' } }),
        listing: ({ key = '', baseURL = home }) => ({
          url: `${baseURL}/config`,
          headers: {
            authorization: `Bearer ${key}`,
            'ai-gateway-protocol-version': '0.0.1',
            'ai-gateway-auth-method': 'api-key',
          },
        }),
      },
      settings,
    ),
}
