/** The code blocks of a Markdown text, each with its language and the heading above it. */
export function codeBlocks(markdown: string) {
  const blocks = [...markdown.matchAll(/^## (.*)$|^```(\w+)\n([^]*?)^```$/gm)];
  let heading = '';
  return blocks.flatMap(([, title, language, text]) => {
    heading = title ?? heading;
    return language === undefined ? [] : [{ heading, language, text: text! }];
  });
}
