import { queryOptions } from '@tanstack/react-query'
import { call } from '../client.ts'
import type { components } from '../entities.ts'

type Schemas = components['schemas']
export type Lifecycle = Schemas['Lifecycle']
export type FieldDefinitions = Schemas['FieldDefinitions']
export type Constraint = Schemas['ValidationConstraint']
export type ListedSchema = Schemas['ListedSchema']
export type ListedFacet = Schemas['ListedFacet']

export interface ListedTypes {
  readonly doctypes: {
    readonly [name: string]: { readonly parent: string; readonly facets: readonly string[]; readonly schemas: readonly string[] }
  }
}

/** All that documents are made of, as the server describes it. */
export const modelQuery = queryOptions({
  queryKey: ['schemas', 'model'] as const,
  queryFn: async ({ signal }) => {
    const [{ doctypes }, schemas, facets, lifecycles] = await Promise.all([
      call<ListedTypes>('config/types', { signal }),
      call<readonly ListedSchema[]>('config/schemas', { signal }),
      call<readonly ListedFacet[]>('config/facets', { signal }),
      call<Schemas['Lifecycles']>('config/lifecycles', { signal }),
    ])
    return { doctypes, schemas, facets, lifecycles: lifecycles.entries }
  },
  staleTime: Number.POSITIVE_INFINITY,
})
