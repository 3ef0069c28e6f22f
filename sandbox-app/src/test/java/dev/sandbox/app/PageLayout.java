package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/** What a page has to hold in every window and colour scheme, looked at in the browser's own layout. */
final class PageLayout {
    /** Words of a name's length, each of which has to be on one line; a path may break behind a slash, a word behind a hyphen. */
    private static final String WORDS = """
            (() => {
              const broken = [];
              let looked = 0;
              document.querySelectorAll('details').forEach(part => part.open = true);
              const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              for (let text = texts.nextNode(); text; text = texts.nextNode()) {
                for (const word of text.data.matchAll(/[^\\s\\/-]+/g)) {
                  if (word[0].length > 24) continue;
                  const range = document.createRange();
                  range.setStart(text, word.index);
                  range.setEnd(text, word.index + word[0].length);
                  const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
                  looked += lines.size > 0 ? 1 : 0;
                  if (lines.size > 1) broken.push(word[0]);
                }
              }
              return {looked: looked, broken: broken};
            })()""";

    /** Texts whose colour is too near to what is behind them: WCAG 2.2 asks for 4.5 to 1. */
    private static final String FAINT = """
            (() => {
              const channels = color => color.match(/[\\d.]+/g).map(Number);
              const light = color => channels(color).slice(0, 3).map(part => part / 255)
                .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
                .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
              const behind = part => {
                const color = part ? getComputedStyle(part).backgroundColor : 'rgb(255, 255, 255)';
                const alpha = channels(color)[3];
                return alpha === 0 ? behind(part.parentElement) : color;
              };
              return [...document.querySelectorAll('body *')]
                .filter(part => !part.disabled && part.tagName !== 'OPTION')
                .filter(part => [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
                .filter(part => part.getClientRects().length)
                .map(part => {
                  const both = [light(getComputedStyle(part).color), light(behind(part))].sort((a, b) => b - a);
                  return {text: part.textContent.slice(0, 40), ratio: (both[0] + 0.05) / (both[1] + 0.05)};
                })
                .filter(found => found.ratio < 4.5);
            })()""";

    private PageLayout() {}

    static void require(Chromium browser) throws Exception {
        JsonNode words = browser.evaluate(WORDS);
        assertThat(words.path("looked").intValue()).isGreaterThan(200);
        assertThat(words.path("broken")).as(words.toString()).isEmpty();
        JsonNode faint = browser.evaluate(FAINT);
        assertThat(faint).as(faint.toString()).isEmpty();
        assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth")
                        .intValue())
                .isLessThanOrEqualTo(0);
    }
}
