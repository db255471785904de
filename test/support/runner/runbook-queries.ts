/** The queries of Logs Insights in a README, each with the section in which it stands. */
interface RunbookQuery {
  readonly section: string;
  readonly text: string;
}

/** Commands with which a query of the README may begin. */
const BEGINNING = /^(?:filter|fields|stats) /;
const HEADING = /^#+ (.*)$/;

/** Returns the lines of code blocks that begin as queries do, with those that go on with a bar, and such code in sentences. */
export function queriesOf(markdown: string): RunbookQuery[] {
  return sectionsOf(markdown).flatMap(({ section, text }) => {
    const blocks = [...text.matchAll(/^( *)```\w*\n(.*?)^\1```$/gms)].flatMap(([, , block = '']) =>
      block.split(/\n(?!\s*\|)/).map((query) => query.trim()),
    );
    const prose = text.replaceAll(/^( *)```\w*\n.*?^\1```$/gms, '');
    const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll(/\s*\n\s*/g, ' '));
    // The word alone is the name of a command.
    return [...blocks, ...spans].filter((query) => BEGINNING.test(query)).map((query) => ({ section, text: query }));
  });
}

function sectionsOf(markdown: string) {
  const sections: { section: string; text: string }[] = [{ section: '', text: '' }];
  for (const line of markdown.split('\n')) {
    const heading = HEADING.exec(line)?.[1];
    if (heading === undefined) sections.at(-1)!.text += `${line}\n`;
    else sections.push({ section: heading, text: '' });
  }
  return sections;
}
