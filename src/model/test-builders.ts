import type { Document } from './document.ts'
import { createModel, type Model, type ModelContributions } from './model.ts'

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
    ...contributions,
  })
}

/** A fresh File in the root, unless said otherwise. */
export function aDocument(options: Partial<Document> = {}): Document {
  return {
    repository: 'default',
    id: 'document-1',
    parentId: 'root',
    name: 'document',
    path: '/document',
    position: null,
    type: 'File',
    facets: [],
    state: 'project',
    isTrashed: false,
    isVersion: false,
    isProxy: false,
    targetId: null,
    seriesId: null,
    isCheckedIn: false,
    majorVersion: 0,
    minorVersion: 0,
    baseVersionId: null,
    isLatestVersion: false,
    isLatestMajorVersion: false,
    versionCreated: null,
    versionComment: null,
    isRecord: false,
    retainUntil: null,
    hasLegalHold: false,
    lock: null,
    changeToken: { system: 0, user: 0 },
    acls: [],
    acpId: 1,
    properties: {},
    ...options,
  }
}
