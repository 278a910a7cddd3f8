import type { Walk } from './walked-requests.ts'

const heading = '## The walk of five requests'
const floors = ['base', 'settings', 'model', 'nxql', 'store', 'core', 'automation', 'rest', 'features', 'http']

/** The page with the section about walks as it is to be. */
export function withWalks(page: string, walks: readonly Walk[]): string {
  const start = page.indexOf(heading)
  const next = page.indexOf('\n## ', start + heading.length)
  return page.slice(0, start) + renderWalks(walks) + page.slice(next)
}

function renderWalks(walks: readonly Walk[]): string {
  return `${heading}

These are the files of \`src/\` of which a function runs while the server answers, on SQLite, when it has answered the same before. A
mistake in an answer is in one of them. \`npm run walks\` writes this section, and a test keeps it true.

${renderCounts(walks)}

${walks.map(renderWalk).join('\n\n')}
`
}

/** How many files of each floor a request passes, from the ground up. */
function renderCounts(walks: readonly Walk[]): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [
    row(['floor', ...walks.map(({ name }) => name)]),
    row(['---', ...walks.map(() => '---:')]),
    ...floors.map((floor) => row([`\`${floor}/\``, ...walks.map(({ files }) => filesOn(floor, files).length)])),
    row(['**all**', ...walks.map(({ files }) => `**${files.length}**`)]),
    row(['at most', ...walks.map(({ bound }) => bound ?? '')]),
  ].join('\n')
}

function renderWalk({ name, request, files }: Walk): string {
  const lines = floors
    .toReversed()
    .map((floor) => [floor, filesOn(floor, files)] as const)
    .filter(([, passed]) => passed.length > 0)
    .map(([floor, passed]) => `- \`${floor}/\`: ${passed.map((file) => file.slice(floor.length + 1, -'.ts'.length)).join(', ')}`)
  return `**${name}**: ${request}.\n\n${lines.join('\n')}`
}

function filesOn(floor: string, files: readonly string[]): readonly string[] {
  return files.filter((file) => file.startsWith(`${floor}/`))
}
