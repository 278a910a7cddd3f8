import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { failEachCall, fillGarden, screensOf, showScreen } from '../support/console-screens.ts'

/** Those with the most to ask for. */
const failing = ['home', 'browse', 'note', 'workflow', 'permissions', 'search', 'tasks', 'profile']

describe('every screen of the console', { timeout: 900_000 }, () => {
  const stage = setStage(fillGarden)
  const { journey, visit } = stage

  // All of them in both, in every mode and width: `npm run stress -- console`. Here they take turns.
  for (const [turn, colorScheme, width, locale] of [
    [0, 'light', 1440, 'en-US'],
    [1, 'dark', 390, 'fr-FR'],
  ] as const) {
    journey(`has no barrier and fits, in ${colorScheme} colours, ${width} wide, in the language ${locale}`, async () => {
      const screens = await screensOf(stage.server)
      const { page, leave } = await visit('', { colorScheme, viewport: { width, height: 844 }, locale })
      for (const [index, screen] of screens.entries()) {
        if (screen.isWide ? turn !== 0 : index % 2 !== turn) continue
        await showScreen(page, `${stage.server.url}ui/`, screen)
        assert.deepEqual(await findBarriers(page), [], screen.name)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, screen.name)
      }
      await leave()
    })
  }

  journey('stays usable while one of its requests fails, and says what is missing', async () => {
    const screens = (await screensOf(stage.server)).filter(({ name }) => failing.includes(name))
    const { page, leave } = await visit('')
    // Each request fails on the first screen that makes it.
    const { silent, said } = await failEachCall(page, `${stage.server.url}ui/`, screens, { isOnce: true })
    assert.deepEqual(silent, [], 'requests whose failure leaves a screen without its navigation or its title')
    for (const path of [
      '/search/lang/NXQL/execute',
      '/search/pp/default_search/execute',
      '/search/saved',
      '/task',
      '/@comment',
      '/session',
    ])
      assert.ok(
        said.some((one) => one.includes(path)),
        path,
      )
    await settle(page)
    await leave()
  })
})
