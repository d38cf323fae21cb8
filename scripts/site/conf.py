"""How Sphinx makes the site of ./dev docs; see scripts/make_site."""
project = "Willow"
author = "the authors of Willow"
copyright = author
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 4  # links name headings as they do in the sources
highlight_language = "none"
html_theme = "furo"
html_title = "Willow"
html_show_sphinx = False
html_show_search_summary = False  # it would be fetched, which pages from disk may not do
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
