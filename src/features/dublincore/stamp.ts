import type { IsoDate } from '../../base/iso-date.ts'
import type { Properties } from '../../model/property.ts'

/** The properties of a document that `user` creates now. A creator that was sent stays; so do contributors, with the user added. */
export function stampedAsCreated(properties: Properties, user: string, now: IsoDate): Properties {
  return {
    ...stampedAsModified(properties, user, now),
    'dc:created': now,
    'dc:creator': properties['dc:creator'] ?? user,
  }
}

/** The properties of a copy that is to be the work of `user` alone. */
export function stampedAsNew(properties: Properties, user: string, now: IsoDate): Properties {
  return stampedAsCreated({ ...properties, 'dc:creator': null, 'dc:contributors': null }, user, now)
}

/** The properties of a document that `user` changes now. */
export function stampedAsModified(properties: Properties, user: string, now: IsoDate): Properties {
  return {
    ...properties,
    'dc:modified': now,
    'dc:lastContributor': user,
    'dc:contributors': withContributor(properties['dc:contributors'], user),
  }
}

function withContributor(contributors: Properties[string] | undefined, user: string): readonly string[] {
  const known = Array.isArray(contributors) ? contributors.filter((one) => typeof one === 'string').map(withoutPrefix) : []
  return known.includes(user) ? known : [...known, user]
}

// Old lists carry `user:` before each name.
function withoutPrefix(contributor: string): string {
  return contributor.replace(/^user:/, '')
}
