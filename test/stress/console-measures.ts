import type { Browser, Page } from 'playwright-core'

export const firstRowsMs = 300
export const longestTaskMs = 50

/** Milliseconds until a text is in the page. */
export function untilShown(text: string, doing: string): string {
  return `new Promise((resolve) => {
    const begun = performance.now()
    const look = () => {
      if (document.querySelector('main')?.textContent.includes(${JSON.stringify(text)})) resolve(performance.now() - begun)
      else requestAnimationFrame(look)
    }
    ${doing}
    look()
  })`
}

interface Task {
  readonly wallMs: number
  /** What the page's own thread worked, without what it waited for others on a machine with more to do. */
  readonly workMs: number
}

/** The tasks of the page's main thread while something is done, from a trace. */
export async function tasksWhile(browser: Browser, page: Page, doing: () => Promise<void>): Promise<readonly Task[]> {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', '__metadata'] })
  await doing()
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: readonly TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
  )
  return traceEvents
    .filter((event) => event.name === 'ThreadControllerImpl::RunTask' && mains.has(threadOf(event)))
    .map(({ dur = 0, tdur = 0 }) => ({ wallMs: dur / 1_000, workMs: tdur / 1_000 }))
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds, on the clock and of the thread. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Slowly, then quickly. */
export async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, step < 30 ? 120 : 4_000)
}

/** What came of somebody's look at a long list. */
export function judgeList(
  rounds: readonly number[],
  tasks: readonly Task[],
): { readonly isQuick: boolean; readonly figures: string } {
  const longest = Math.max(0, ...tasks.map(({ workMs }) => workMs))
  const longestWall = Math.max(0, ...tasks.map(({ wallMs }) => wallMs))
  // The first time nothing of it is in memory yet, in the database, the server or the browser.
  const [cold = '', ...warm] = rounds.map((round) => round.toFixed(0))
  return {
    isQuick: tasks.length > 0 && Math.min(...rounds.slice(1)) <= firstRowsMs && longest <= longestTaskMs,
    figures: `first rows after ${warm.join(', ')} ms, ${cold} the first time; of ${tasks.length} tasks while scrolling the longest worked ${longest.toFixed(0)} ms (${longestWall.toFixed(0)} on the clock)`,
  }
}

export function report(isSound: boolean, what: string, text: string): boolean {
  console.log(`${isSound ? 'sound' : 'BROKEN'} ${what}: ${text}`)
  return isSound
}
