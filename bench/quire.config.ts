import { definePageProvider } from '../src/core/search/providers/page-provider.ts'
import { definePlugin } from '../src/plugin/define-plugin.ts'

const terms = (field: string) => ({ id: `${field.replace(':', '_')}_agg`, type: 'terms', field }) as const

/** So that tokens can be made for it that are signed with it. */
export const benchJwtSecret = 'the secret of the measured server'

/** What the measured server has beside its own: a provider that counts values of three fields. */
export default {
  settings: { jwtSecret: benchJwtSecret },
  plugins: [
    definePlugin({
      name: 'bench',
      pageProviders: [
        definePageProvider({
          name: 'bench_terms',
          pattern: 'SELECT * FROM File WHERE ecm:isVersion = 0 AND ecm:isTrashed = 0',
          pageSize: 50,
          aggregates: [terms('dc:nature'), terms('dc:creator'), terms('dc:subjects')],
        }),
      ],
    }),
  ],
}
