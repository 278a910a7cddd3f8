import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*/*.md', 'template/*.md'], { cwd: root })

interface Link {
  readonly page: string
  readonly address: string
}

function linksOf(page: string): readonly Link[] {
  const text = withoutCode(readFileSync(join(root, page), 'utf8'))
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => ({ page, address }))
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code')
}

/** As those who show such pages name the headings of one. */
function anchorsOf(path: string): ReadonlySet<string> {
  const text = readFileSync(path, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

const isElsewhere = ({ address }: Link) => /^[a-z]+:/.test(address)

function isBroken({ page, address }: Link): boolean {
  const [file = '', anchor] = address.split('#')
  const path = file === '' ? join(root, page) : join(root, dirname(page), file)
  if (!existsSync(path)) return true
  return anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).has(anchor)
}

describe('links in what there is to read', () => {
  test('lead to files and headings that there are', () => {
    const links = pages.flatMap(linksOf).filter((link) => !isElsewhere(link))
    assert.ok(links.length > 100, String(links.length))
    assert.deepEqual(
      links.filter(isBroken).map(({ page, address }) => `${page}: ${address}`),
      [],
    )
  })

  test('lead from the guide for operators to all of its chapters', () => {
    const linked = new Set(linksOf('docs/operating.md').map(({ address }) => join('docs', address)))
    const chapters = globSync('docs/operating/*.md', { cwd: root }).map((path) => relative('', path))
    assert.ok(chapters.length >= 9)
    assert.deepEqual(
      chapters.filter((chapter) => !linked.has(chapter)),
      [],
    )
  })
})
