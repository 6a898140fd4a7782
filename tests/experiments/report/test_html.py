"""Building HTML."""

from gpviz.experiments.report.html import Markup, code, command, element, joined, paragraph, table


def test_texts_are_escaped_and_markup_is_not():
    assert paragraph("1 < 2 & ", element("b", '"so"')) == "<p>1 &lt; 2 &amp; <b>&quot;so&quot;</b></p>"


def test_attributes_are_escaped_and_left_out_where_there_is_none():
    assert element("th", "x", class_='a"b', scope=None, aria_label="y") == (
        '<th class="a&quot;b" aria-label="y">x</th>'
    )


def test_an_empty_element_is_not_closed():
    assert element("meta", name="viewport", content="x") == '<meta name="viewport" content="x">'


def test_short_equations_stay_on_one_line_in_prose_only():
    assert joined(("n = 4 and x = 4",)) == "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}4 and x = 4"
    assert "n = 4" in element("code", "n = 4")
    assert "n = 4" in command("n = 4")


def test_a_command_breaks_between_its_words_only():
    assert code("a --b") == '<code><span class="whole">a</span> <span class="whole">--b</span></code>'
    assert code("a<b") == "<code>a&lt;b</code>"


def test_a_table_has_a_caption_and_its_groups_of_rows():
    cell = element("td", "1")
    text = table("What <it> is", ([element("th", "h", scope="col")],), [[cell]], [[cell]], label="it")
    assert "<caption><span>What &lt;it&gt; is</span></caption>" in text
    assert text.count("<tbody>") == 2
    assert 'tabindex="0"' in text
    assert isinstance(text, Markup)
