import type { ModelContributions } from '../model-contributions.ts'
import { facets } from './facets.ts'
import { lifecycles } from './lifecycles.ts'
import { permissions, visiblePermissions } from './permissions.ts'
import { contentSchemas } from './schemas/content.ts'
import { directorySchemas } from './schemas/directory.ts'
import { peopleSchemas } from './schemas/people.ts'
import { searchFormSchemas } from './schemas/search-forms.ts'
import { contentTypes } from './types/content.ts'
import { peopleTypes } from './types/people.ts'
import { searchFormTypes } from './types/search-forms.ts'
import { versioningPolicies } from './versioning-policies.ts'

/** Everything about documents that a server knows before any plugin speaks. */
export const contentModel: ModelContributions = {
  schemas: [...contentSchemas, ...searchFormSchemas, ...peopleSchemas, ...directorySchemas],
  facets,
  documentTypes: [...contentTypes, ...searchFormTypes, ...peopleTypes],
  documentTypeAdditions: [],
  lifecycles,
  permissions,
  visiblePermissions,
  versioningPolicies,
  versioningRestrictions: [],
}
