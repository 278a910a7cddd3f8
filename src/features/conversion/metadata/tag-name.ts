import { defineProblem } from '../../../base/problem.ts'

export const wrongMetadataTag = defineProblem(
  'wrongMetadataTag',
  'invalid',
  (of: { tag: string }) =>
    `${of.tag.slice(0, 100)} is no tag that can be written. Name one such as ImageDescription, EXIF:Copyright or XMP-dc:Title.`,
)

/** A tag of the metadata inside a file, and the standard that defines it where that is said. */
export interface TagName {
  readonly group?: string
  readonly tag: string
}

const written = /^(?:([a-z][a-z0-9-]{0,39}):)?([a-z][a-z0-9_-]{0,99})$/i

/**
 * Standards whose tags are inside a file. exiftool has groups beside them that rename, move and link files, or read others into the
 * one at hand.
 */
const groups =
  /^(?:exif|ifd[01]|exififd|gps|iptc|xmp(?:-[a-z0-9]+)?|pdf|png|gif|jfif|photoshop|quicktime|keys|itemlist|userdata)$/i

/** What exiftool takes for such an errand without a group too, and what stands for all tags. */
const errands =
  /^(?:file.*|directory|testname|hardlink|symlink|geo(?:tag|sync|time|locate).*|zoneidentifier|mditem.*|xattr.*|trailer|all)$/i

/** @throws wrongMetadataTag */
export function parseTagName(text: string): TagName {
  const [, group, tag = ''] = written.exec(text.trim()) ?? []
  if (tag === '' || errands.test(tag) || (group !== undefined && !groups.test(group))) throw wrongMetadataTag({ tag: text })
  return group === undefined ? { tag } : { group, tag }
}

/** `EXIF:Copyright` without what tells the standard. */
export function withoutGroup(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
