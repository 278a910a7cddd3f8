import { definePageProvider } from '../src/core/search/providers/page-provider.ts'
import { defineDocumentType } from '../src/model/document-type.ts'
import { definePlugin } from '../src/plugin/define-plugin.ts'

const terms = (field: string) => ({ id: `${field.replace(':', '_')}_agg`, type: 'terms', field }) as const

/** So that tokens can be made for it that are signed with it. */
export const benchJwtSecret = 'the secret of the measured server'

/** Files of which the audit log tells nothing. */
export const unauditedType = 'UnauditedFile'

/** What the measured server has beside its own: a provider that counts values of three fields, and a type. */
export default {
  settings: { jwtSecret: benchJwtSecret },
  plugins: [
    definePlugin({
      name: 'bench',
      requires: ['content-model'],
      documentTypes: [defineDocumentType(unauditedType, { extends: 'File', facets: ['SystemDocument'] })],
      documentTypeAdditions: [{ type: 'Folder', subtypes: [unauditedType] }],
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
