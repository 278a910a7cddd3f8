import access from './features/access/index.ts'
import bulk from './features/bulk/index.ts'
import contentModel from './features/content-model/index.ts'
import contentTemplates from './features/content-templates/index.ts'
import directories from './features/directories/index.ts'
import documentEnrichers from './features/document-enrichers/index.ts'
import documents from './features/documents/index.ts'
import dublincore from './features/dublincore/index.ts'
import fulltext from './features/fulltext/index.ts'
import icons from './features/icons/index.ts'
import lifecycle from './features/lifecycle/index.ts'
import people from './features/people/index.ts'
import records from './features/records/index.ts'
import savedSearches from './features/saved-searches/index.ts'
import search from './features/search/index.ts'
import serverStatus from './features/server-status/index.ts'
import userProfile from './features/user-profile/index.ts'
import userWorkspaces from './features/user-workspaces/index.ts'
import type { Plugin } from './plugin/define-plugin.ts'

/** What Quire is made of, in the order in which it is put together. */
export const builtinPlugins: readonly Plugin[] = [
  contentModel,
  contentTemplates,
  dublincore,
  lifecycle,
  records,
  icons,
  userWorkspaces,
  userProfile,
  directories,
  people,
  documents,
  fulltext,
  search,
  savedSearches,
  bulk,
  access,
  documentEnrichers,
  serverStatus,
]
