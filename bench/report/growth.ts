import type { Finding, Measure } from './finding.ts'

const maxGrowth = 1.5

/** How many times more each work costs in the largest repository than in the smallest. */
export function growthOf(findings: readonly Finding[]): readonly Finding[] {
  const sizes = findings.map((finding) => finding.files)
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)]
  if (smallest === largest) return []
  return findings
    .filter(({ files }) => files === smallest)
    .flatMap(({ row, title, measure: small }) => {
      const large = findings.find((other) => other.row === row && other.files === largest)?.measure
      if (small.kind !== 'rate' || large?.kind !== 'rate') return []
      return [{ row, title, files: largest, measure: growthBetween(small, large) }]
    })
}

type Rate = Extract<Measure, { kind: 'rate' }>

function growthBetween(smallest: Rate, largest: Rate): Measure {
  const { quire: small, leastShare, growsWithMatches } = smallest
  const { quire: large } = largest
  const [smallUse, largeUse] = [small.microseconds, large.microseconds]
  const bareGrowth = growsWithMatches ? Math.max(1, smallest.bare.perSecond / largest.bare.perSecond) : 1
  return {
    kind: 'growth',
    factor: small.perSecond / large.perSecond,
    ...(smallUse !== undefined && largeUse !== undefined && { processorFactor: largeUse / smallUse }),
    ...(leastShare !== undefined && { maxFactor: maxGrowth * bareGrowth }),
  }
}
