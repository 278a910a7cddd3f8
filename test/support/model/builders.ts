import { type Document, pristine } from '../../../src/model/document.ts'
import { createModel, type Model } from '../../../src/model/model.ts'
import type { ModelContributions } from '../../../src/model/model-contributions.ts'

/** A model of nothing but what is given. */
export function aModel(contributions: Partial<ModelContributions>): Model {
  return createModel({
    schemas: [],
    facets: [],
    documentTypes: [],
    documentTypeAdditions: [],
    lifecycles: [],
    permissions: [],
    visiblePermissions: [],
    versioningPolicies: [],
    versioningRestrictions: [],
    ...contributions,
  })
}

/** A fresh File in the root, unless said otherwise. */
export function aDocument(options: Partial<Document> = {}): Document {
  return {
    ...pristine,
    repository: 'default',
    id: 'document-1',
    parentId: 'root',
    name: 'document',
    path: '/document',
    type: 'File',
    state: 'project',
    acpId: 1,
    properties: {},
    ...options,
  }
}
