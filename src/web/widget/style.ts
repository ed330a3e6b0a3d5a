import type { Options } from './options'

/** Below this width the chat takes the whole screen. */
export const SMALL = '(max-width:639px)'

/**
 * The one sheet of the shadow root. What it says of the host element is `!important`: an important rule inside wins over
 * any rule of the page. The accent has a name of its own, since many pages have an `--accent`. The launcher's text is white
 * on a dark one, black on a light one. The panel is measured by its place, not by the window: under a page's `zoom` they
 * differ.
 */
export function sheetFor({ position, offsetX, offsetY, zIndex }: Options, inline: boolean): string {
  const above = (px: number) => `inset-block-end:calc(${px}px + env(safe-area-inset-bottom))`
  const place = inline
    ? 'position:relative!important;block-size:100%!important;min-block-size:360px!important'
    : `position:fixed!important;z-index:${zIndex}!important;${above(offsetY)}!important;inset-inline-${position}:${offsetX}px!important`
  return `:host{all:initial!important;display:block!important;${place};font:500 15px/22px system-ui,sans-serif!important;--parley:#0b6b5d}
*{box-sizing:border-box;margin:0;padding:0}
@media print{:host{display:none!important}}
.launcher{display:flex;align-items:center;place-content:center;gap:8px;min-inline-size:56px;block-size:56px;border:1px solid #0000;border-radius:28px;background:var(--parley);color:#fff;color:lch(from var(--parley) calc((49.44 - l)*infinity) 0 0);font:inherit;cursor:pointer;box-shadow:0 8px 28px #17201c33;position:relative}
.launcher.has-label{padding-inline:18px 22px}
.launcher:focus-visible{outline:2px solid var(--parley);outline-offset:2px}
svg{inline-size:26px;block-size:26px;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}
.count{position:absolute;inset-block-start:-4px;inset-inline-end:-4px;min-inline-size:20px;block-size:20px;padding-inline:5px;border-radius:10px;background:#b3261e;color:#fff;font-size:12px;line-height:20px;text-align:center}
.panel{position:fixed;inset:auto;${above(offsetY + 68)};inset-inline-${position}:${offsetX}px;inline-size:min(400px,100% - ${2 * offsetX}px);block-size:min(680px,100% - ${offsetY + 76}px);max-inline-size:none;max-block-size:none;border:1px solid #7a857f;border-radius:16px;overflow:hidden;box-shadow:0 8px 28px #17201c33}
.panel.wide{inline-size:min(640px,100% - ${2 * offsetX}px)}
.panel.alone{${above(offsetY)};block-size:min(680px,100% - ${2 * offsetY}px)}
.panel.inline{position:absolute;inset:0;inline-size:100%;block-size:100%;box-shadow:none}
.panel:modal{inset:0;inline-size:100%;block-size:min(100dvh,100%);border:0;border-radius:0}
iframe{display:block;inline-size:100%;block-size:100%;border:0}`
}
