/** The parts of the API in the order in which people come to need them, each with its tags. */
const tagGroups: readonly TagGroup[] = [
  { title: 'Documents', tags: ['path', 'id', '@children', '@blob', '@acl', '@emptyWithDefault'] },
  { title: 'Search', tags: ['search', '@search', '@pp', 'query'] },
  { title: 'Uploads', tags: ['upload'] },
  { title: 'Downloads', tags: ['nxfile', 'nxbigfile', 'nxdownloadinfo', 'nxblobstatus', 'nxbigblob', 'nxbigzipfile'] },
  { title: 'Automation', tags: ['automation', '@op'] },
  { title: 'Bulk actions', tags: ['bulk'] },
  { title: 'Users and groups', tags: ['me', 'user', 'group', '@users', '@groups', 'site'] },
  { title: 'Directories', tags: ['directory'] },
  { title: 'Types, schemas and facets', tags: ['config', 'docType', 'schema', 'facet'] },
]

/** After what plugins add. */
const lastGroups: readonly TagGroup[] = [
  { title: 'The server', tags: ['capabilities', 'runningstatus', 'management', 'json', 'doc', 'openapi.json'] },
  { title: 'Every operation', tags: ['operations'] },
]

export interface TagGroup {
  readonly title: string
  readonly tags: readonly string[]
}

/** The groups of the tags that there are; tags that are in none are groups of their own, and adapters go with documents. */
export function groupTags(tags: readonly string[]): readonly TagGroup[] {
  const present = new Set(tags)
  const grouped = new Set([...tagGroups, ...lastGroups].flatMap((group) => group.tags))
  const others = [...present.difference(grouped)].sort()
  const [documents = { title: 'Documents', tags: [] }, ...more] = tagGroups
  const adapters = others.filter((tag) => tag.startsWith('@'))
  const routes = others.filter((tag) => !tag.startsWith('@')).map((tag) => ({ title: tag, tags: [tag] }))
  const all = [{ ...documents, tags: [...documents.tags, ...adapters] }, ...more, ...routes, ...lastGroups]
  return all
    .map((group) => ({ title: group.title, tags: group.tags.filter((tag) => present.has(tag)) }))
    .filter((group) => group.tags.length > 0)
}

export function orderTags(tags: readonly string[]): readonly string[] {
  return groupTags(tags).flatMap((group) => group.tags)
}
