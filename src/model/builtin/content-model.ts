import type { ModelContributions } from '../model-contributions.ts'
import { contentTypes } from './document-types.ts'
import { facets } from './facets.ts'
import { defaultLifecycle } from './lifecycles.ts'
import { permissions, visiblePermissions } from './permissions.ts'
import { contentSchemas } from './schemas.ts'
import { versioningPolicies } from './versioning-policies.ts'

/** What documents are, whatever features there are: theirs are in their own folders, and add to these types. */
export const contentModel: ModelContributions = {
  schemas: contentSchemas,
  facets,
  documentTypes: contentTypes,
  documentTypeAdditions: [],
  lifecycles: [defaultLifecycle],
  permissions,
  visiblePermissions,
  versioningPolicies,
  versioningRestrictions: [],
}
